import { fileURLToPath } from 'node:url'
import { api } from '@loci/contract/api'
import type { Endpoint } from '@loci/contract/endpoint'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { markPure } from './build/mark-pure.ts'
import { precompressed } from './build/precompressed.ts'
import { publicPages } from './build/public-pages.ts'

const restTableId = 'virtual:rest-table'

/**
 * Method and path of each REST call, taken from the contract at build time, so that the browser gets the table
 * without the validators that stand in it.
 */
function restTable(): Plugin {
  const table = Object.fromEntries(
    Object.entries<Endpoint>(api).map(([id, { method, path, consumes, produces }]) => [
      id,
      { method, path, consumes, produces },
    ]),
  )
  return {
    name: 'loci:rest-table',
    resolveId: (id) => (id === restTableId ? `\0${restTableId}` : undefined),
    load: (id) =>
      id === `\0${restTableId}` ? `export const restTable = ${JSON.stringify(table)}` : undefined,
  }
}

const server = `http://127.0.0.1:${process.env.PORT ?? 7400}`

/**
 * Marks the outermost calls of the contract's constants as pure: making a schema changes nothing, so those that no
 * screen uses fall away, and zod with them. By file, so that no call of the app is touched.
 */
function pureContract(): Plugin {
  const folder = fileURLToPath(new URL('../contract/src/', import.meta.url))
  return {
    name: 'loci:pure-contract',
    transform(code, id) {
      return id.startsWith(folder) ? markPure(code, this.parse(code)) : undefined
    },
  }
}

export default defineConfig({
  plugins: [restTable(), pureContract(), react(), publicPages(), precompressed()],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // Nothing may be inlined as data: the Content-Security-Policy allows our own origin only.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['index.html', 'landing.html', 'pricing.html', 'no-prices.html'],
    },
  },
  server: {
    proxy: {
      // A pattern, since /api-keys is a page.
      '^/(api|auth|healthz|readyz|mcp|oauth|checkout|invoices)(/|$)': server,
      '/ws/connect': { target: server, ws: true },
    },
  },
})
