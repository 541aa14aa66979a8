import { MantineProvider } from '@mantine/core';
import './mantine.css';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import '@mantine/notifications/styles.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router/dom';
import { queryClient } from '../api/query-client';
import './app.css';
import './forced-colors.css';
import { router } from './router';
import { readableColors, theme } from './theme';

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={readableColors} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <Notifications position="bottom-right" />
          <RouterProvider router={router} />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
