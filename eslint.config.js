export { default } from './.eslintrc.js';
