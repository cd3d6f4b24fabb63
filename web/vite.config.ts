import { readdirSync, readFileSync } from 'node:fs'
import { api } from '@loci/contract/api'
import type { Endpoint } from '@loci/contract/endpoint'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
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
 * The schemas of the contract: calling a method of one only makes another. By their capital alone, since these names
 * count in every module of the web app, where a call of a variable that is named alike would be dropped.
 */
function schemaNames(): string[] {
  const folder = new URL('../contract/src/', import.meta.url)
  const sources = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'))
  return sources.flatMap((source) =>
    [...source.matchAll(/^(?:export )?const ([A-Z]\w+)/gm)].map(([, name]) => name!),
  )
}

export default defineConfig({
  plugins: [restTable(), react(), publicPages(), precompressed()],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // Nothing may be inlined as data: the Content-Security-Policy allows our own origin only.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: ['index.html', 'landing.html', 'pricing.html', 'no-prices.html'],
      treeshake: {
        // Schemas of the contract that a screen does not use fall away, and with them zod itself.
        manualPureFunctions: [
          'z',
          'text',
          'nonBlankText',
          'queryInteger',
          'envelope',
          'graphEvent',
          'reply',
          'entitySummary',
          'relationSummary',
          ...schemaNames(),
        ],
      },
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
