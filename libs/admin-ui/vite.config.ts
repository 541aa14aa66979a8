import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

// The service that `npm run dev` and `npm run preview` talk to.
const SERVICE = 'http://127.0.0.1:5055';
const proxy = { '/admin/api': SERVICE, '/mcp': SERVICE };

// What the service answers with, so that `npm run preview` refuses what it refuses.
const POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'";

export default defineConfig({
  base: '/admin/',
  plugins: [react(), precompress()],
  // The policy allows data: for images only.
  build: { assetsInlineLimit: 0 },
  server: { host: '127.0.0.1', proxy },
  preview: { host: '127.0.0.1', proxy, headers: { 'Content-Security-Policy': POLICY } },
});
