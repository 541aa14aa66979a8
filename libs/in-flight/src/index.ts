// Keeps items in progress. Each line is public API.
export { InFlight } from './in-flight.js';
