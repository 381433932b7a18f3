import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import manifest from '../package.json' with { type: 'json' };

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  plugins: [react(), tailwindcss()],
  define: { __PINCER_VERSION__: JSON.stringify(manifest.version) },
  // What a page loads is told by its own code; a list of it in the markup would be inline script.
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Nothing inlined: the policy allows no data: beyond images.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { '^/(v1|api|healthz|dashboard/session)': 'http://127.0.0.1:8080' } },
});
