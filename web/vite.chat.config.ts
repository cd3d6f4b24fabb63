import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { singleFile } from './build/single-file.ts'

/** The graph in the chat: one file without a network, as MCP Apps want it. */
export default defineConfig({
  root: fileURLToPath(new URL('chat', import.meta.url)),
  publicDir: false,
  plugins: [singleFile()],
  worker: { format: 'es' },
  build: { target: 'es2022', outDir: '../dist/chat', emptyOutDir: true, modulePreload: false },
})
