import { z } from 'zod'
import { AsOf } from './moments.ts'
import { IsoDateTime, StorableText } from './text.ts'

/** Media types of JSON lines; the fallback if no other format is recognised in such a file. */
export const jsonLinesTypes = ['application/x-ndjson', 'application/jsonl']
/** Media types of other files; their format is recognised from their content. */
export const importTypes = [
  ...jsonLinesTypes,
  'application/json',
  'application/zip',
  'application/x-zip-compressed',
  'application/octet-stream',
  'text/markdown',
  'text/plain',
  'text/csv',
]
/** Largest file that can be imported over REST, bytes. */
export const importBytesMax = 1024 ** 3
/** A file of up to this many bytes is imported before the call returns. */
export const importDirectBytesMax = 8 * 1024 ** 2
/** Longest line of a file, bytes. */
export const importLineBytesMax = 16 * 1024 ** 2
/** Most problems kept per file; the rest are only counted. */
export const importProblemsMax = 100

/**
 * `loci` is our own export, `mcp-memory` the file of the reference memory server, `markdown` a vault or
 * folder of notes; `chatgpt`, `claude`, `mem0` and `graphiti` (also Zep) are the exports of those
 * products.
 */
export const ImportFormat = z.enum([
  'loci',
  'mcp-memory',
  'markdown',
  'chatgpt',
  'claude',
  'mem0',
  'graphiti',
])
export type ImportFormat = z.infer<typeof ImportFormat>

/**
 * `running`; `interrupted`: its process is gone; `plan_limit_reached`: stopped at the plan's limit;
 * `finished`. Sending the same file again resumes an unfinished import.
 */
export const ImportState = z.enum(['running', 'interrupted', 'plan_limit_reached', 'finished'])
export type ImportState = z.infer<typeof ImportState>

/** Something in the file that could not be imported. */
export const ImportProblem = z.object({
  /** From 1; omitted if `item` gives the position. */
  line: z.number().int().optional(),
  /** Position in the list of a JSON or CSV file, from 1. */
  item: z.number().int().optional(),
  /** The file in the folder or archive that contains the line or item. */
  file: z.string().optional(),
  message: z.string(),
})
export type ImportProblem = z.infer<typeof ImportProblem>

const Imported = z.object({
  created: z.number().int(),
  /** Already existed and was left unchanged. */
  existing: z.number().int(),
})

/** Progress and result of an import. */
export const ImportReport = z.object({
  id: z.string(),
  format: ImportFormat,
  state: ImportState,
  entities: Imported,
  observations: Imported,
  relations: Imported,
  problems: z.object({ total: z.number().int(), first: z.array(ImportProblem) }),
  /** Relations are read in a second pass, which starts at the first relation. */
  pass: z.enum(['entities', 'relations']),
  bytes: z.number().int(),
  /** Bytes of the file already processed in this pass. */
  bytesDone: z.number().int(),
  createdAt: IsoDateTime,
  updatedAt: IsoDateTime,
})
export type ImportReport = z.infer<typeof ImportReport>

/** `fileName` names a note sent as a single file, and is shown as the location of problems. */
export const ImportQuery = z.object({ fileName: StorableText.max(1024).optional() })

export const ImportResponse = z.object({ import: ImportReport })

/** Most entities that a preview examines, and most that it lists. */
export const previewEntitiesMax = 200_000
export const previewListMax = 20
export const previewSampleMax = 5

const CountOfType = z.object({ type: z.string(), count: z.number().int() })

/** What an import of a file would store, and its problems. Nothing is stored. */
export const ImportPreview = z.object({
  format: ImportFormat,
  /** Bytes of the lines that the file was converted to. */
  bytes: z.number().int(),
  /** False if only the beginning of a very large file was examined. */
  isWhole: z.boolean(),
  entities: Imported,
  observations: Imported,
  relations: Imported,
  /** Types of new entities, most frequent first, at most 50. */
  entityTypes: z.array(CountOfType),
  relationTypes: z.array(CountOfType),
  /** The first new entities with their first observations, shortened. */
  sample: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      observations: z.array(z.string()),
      observationsCount: z.number().int(),
    }),
  ),
  /** Entities that already exist; they keep their fields and gain the missing observations. */
  existing: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })),
  /** Files in a folder or archive without content of this format. */
  skipped: z.object({ total: z.number().int(), first: z.array(z.string()) }),
  problems: z.object({ total: z.number().int(), first: z.array(ImportProblem) }),
})
export type ImportPreview = z.infer<typeof ImportPreview>
export const ImportPreviewResponse = z.object({ preview: ImportPreview })

/**
 * `loci` is everything, to import again; `mcp-memory` the file of the reference memory server; `markdown` a vault of
 * notes and `csv` three tables, each in a ZIP archive; `graphml` for programs that draw graphs; `json-ld` linked data.
 */
export const ExportFormat = z.enum(['loci', 'mcp-memory', 'markdown', 'csv', 'graphml', 'json-ld'])
export type ExportFormat = z.infer<typeof ExportFormat>

export const exportFileNames: Record<ExportFormat, string> = {
  loci: 'loci.jsonl',
  'mcp-memory': 'memory.jsonl',
  markdown: 'loci-notes.zip',
  csv: 'loci-csv.zip',
  graphml: 'loci.graphml',
  'json-ld': 'loci.jsonld',
}

export const exportMediaTypes: Record<ExportFormat, string> = {
  loci: 'application/x-ndjson',
  'mcp-memory': 'application/x-ndjson',
  markdown: 'application/zip',
  csv: 'application/zip',
  graphml: 'application/xml; charset=utf-8',
  'json-ld': 'application/ld+json',
}
/** With `ids` only these entities and the relations between them. */
export const ExportQuery = z.object({
  format: ExportFormat.default('loci'),
  asOf: AsOf,
  ids: z
    .string()
    .max(16_384)
    .transform((value) => value.split(',').filter((id) => id !== ''))
    .pipe(z.array(z.string()).max(500))
    .optional(),
})

/** Version of our JSON lines format, in the header of each file. */
export const exportVersion = 1
