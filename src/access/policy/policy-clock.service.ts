import { Injectable } from '@nestjs/common';
import { SettingsService } from '../../platform/config/settings.service.js';
import { type WallClock, WEEKDAYS } from './policy-context.js';

const MINUTE_MS = 60_000;

/** Tells hour and weekday to policies, in the time zone of the setting `policy.time_zone`. */
@Injectable()
export class PolicyClock {
  private shown: WallClock = { hour: 0, weekday: 'sunday' };
  private shownFor = ''; // the minute and the time zone of `shown`
  private format: { timeZone: string; parts: Intl.DateTimeFormat } | null = null;

  constructor(private readonly settings: SettingsService) {}

  now(nowMs = Date.now()): WallClock {
    const timeZone = this.settings.get('policy.time_zone');
    const minute = Math.floor(nowMs / MINUTE_MS);
    const shownFor = `${minute} ${timeZone}`;
    if (shownFor !== this.shownFor) {
      this.shown = this.read(new Date(minute * MINUTE_MS), timeZone);
      this.shownFor = shownFor;
    }
    return this.shown;
  }

  /** Returns what the clock showed at a moment. */
  at(moment: Date): WallClock {
    return this.read(moment, this.settings.get('policy.time_zone'));
  }

  private read(at: Date, timeZone: string): WallClock {
    if (this.format?.timeZone !== timeZone) {
      const options = { timeZone, weekday: 'long', hour: 'numeric', hourCycle: 'h23' } as const;
      this.format = { timeZone, parts: new Intl.DateTimeFormat('en-US', options) };
    }
    const parts = new Map(this.format.parts.formatToParts(at).map(({ type, value }) => [type, value]));
    const weekday = parts.get('weekday')?.toLowerCase();
    return {
      hour: Number(parts.get('hour')),
      weekday: WEEKDAYS.find((day) => day === weekday) ?? 'sunday',
    };
  }
}
