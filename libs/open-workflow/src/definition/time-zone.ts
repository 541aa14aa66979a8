import type { Format } from './formats.js';
import { didYouMean, suggestionFor } from './suggestion.js';

/** The name of an IANA time zone known to `Intl`. */
export const TIME_ZONE: Format = {
  examples: ['UTC', 'Europe/Paris', 'America/New_York'],
  problemOf(name) {
    if (isTimeZone(name)) return null;
    const zones = [...Intl.supportedValuesOf('timeZone'), 'UTC'];
    const hint = didYouMean(suggestionFor(name, zones) ?? zoneOfCity(name, zones) ?? '', zones);
    return hint === ''
      ? 'must be the name of a time zone such as Europe/Paris or UTC'
      : `is not the name of a time zone${hint}`;
  },
};

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** Returns the zone of a city given without its continent, such as `new york`. */
function zoneOfCity(name: string, zones: readonly string[]): string | undefined {
  const zoneByCity = new Map(zones.map((zone) => [zone.split('/').at(-1) ?? zone, zone]));
  return zoneByCity.get(suggestionFor(name, zoneByCity.keys()) ?? '');
}
