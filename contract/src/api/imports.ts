import { endpoints } from '../endpoint.ts'
import { ExportQuery, ImportPreviewResponse, ImportQuery, ImportResponse, importTypes } from '../imports.ts'
import { json } from './statuses.ts'

export const importsApi = endpoints({
  import: {
    method: 'POST',
    path: '/api/import',
    access: 'memory:write',
    tag: 'Import and export',
    summary:
      'Import a memory: our export, the file of the reference memory server, an export of ChatGPT, Claude, mem0, Zep or Graphiti, or Markdown notes',
    ...json,
    statusOfUnfinished: 202,
    query: ImportQuery,
    consumes: importTypes,
    response: ImportResponse,
  },
  previewImport: {
    method: 'POST',
    path: '/api/import/preview',
    access: 'memory:write',
    tag: 'Import and export',
    summary: 'Preview what an import would store and which problems it has; stores nothing',
    ...json,
    reads: true,
    query: ImportQuery,
    consumes: importTypes,
    response: ImportPreviewResponse,
  },
  getImport: {
    method: 'GET',
    path: '/api/imports/:id',
    access: 'memory:read',
    tag: 'Import and export',
    summary: 'Get the progress of an import',
    ...json,
    response: ImportResponse,
  },
  export: {
    method: 'GET',
    path: '/api/export',
    access: 'memory:read',
    tag: 'Import and export',
    summary: 'Export the whole graph as JSON lines or in another format',
    ...json,
    query: ExportQuery,
    produces: 'application/x-ndjson',
    producesToo: ['application/zip', 'application/xml', 'application/ld+json'],
  },
})
