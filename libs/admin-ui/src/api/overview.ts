import { keepPreviousData } from '@tanstack/react-query';
import { api, type Schemas, useRead } from './client';

export type Overview = Schemas['Overview'];

/** The periods of the call statistics. */
export const PERIODS = ['hour', 'day', 'week'] as const;
export type Period = (typeof PERIODS)[number];

const REFRESH_MS = 5_000;

/** Polls the statistics of the dashboard, except while the page is hidden. */
export const useOverview = (period: Period = 'hour') =>
  useRead(['overview', period], () => api.GET('/admin/api/overview', { params: { query: { period } } }), {
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    refetchIntervalInBackground: false,
  });
