import { fileURLToPath } from 'node:url'
import { api } from '@loci/contract/api'
import type { Endpoint } from '@loci/contract/endpoint'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { chunks } from './build/chunks.ts'
import { mantineStyles } from './build/mantine-styles.ts'
import { markPure } from './build/mark-pure.ts'
import { paintFirst } from './build/paint-first.ts'
import { precompressed } from './build/precompressed.ts'
import { publicPages } from './build/public-pages.ts'

const restTableId = 'virtual:rest-table'

/**
 * The method and path of each REST call, read from the contract at build time, so that the browser gets this table
 * without the contract's validators.
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
 * Computes the contract's constants in pure calls: creating a schema has no side effects, so the bundler drops unused
 * schemas, and zod with them. Limited to the contract's files, so that no call of the app is
 * affected.
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
  plugins: [
    restTable(),
    pureContract(),
    mantineStyles(),
    react(),
    publicPages(),
    paintFirst(),
    precompressed(),
  ],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // Nothing can be inlined as data URLs: the Content-Security-Policy allows our own origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'landing.html', 'pricing.html', 'no-prices.html', 'src/early.ts'],
      output: { codeSplitting: { groups: chunks() } },
    },
  },
  server: {
    proxy: {
      // A regular expression, since /api-keys is a page.
      '^/(api|auth|healthz|readyz|mcp|oauth|checkout|invoices)(/|$)': server,
      '/ws/connect': { target: server, ws: true },
    },
  },
})
