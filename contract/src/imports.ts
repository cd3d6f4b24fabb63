import { z } from 'zod'
import { AsOf } from './moments.ts'
import { IsoDateTime, StorableText } from './text.ts'

/** Media types of JSON lines. A file of one of them is taken as such if nothing else is recognised in it. */
export const jsonLinesTypes = ['application/x-ndjson', 'application/jsonl']
/** Media types of other files; what is in them is recognised by content. */
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
/** Largest file that is imported over REST, bytes. */
export const importBytesMax = 1024 ** 3
/** A file of up to this many bytes is imported before the call answers. */
export const importDirectBytesMax = 8 * 1024 ** 2
/** Longest line of a file, bytes. */
export const importLineBytesMax = 16 * 1024 ** 2
/** How many of a file's problems are kept; the rest are only counted. */
export const importProblemsMax = 100

/**
 * `loci` is our own export, `mcp-memory` the file of the reference memory server, `markdown` a vault or folder of notes;
 * `chatgpt`, `claude`, `mem0` and `graphiti` (Zep too) are exports of those.
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
 * `running`; `interrupted`: the process that worked on it is gone; `plan_limit_reached`: stopped at the plan's limit;
 * `finished`. Sending the same file again continues one that was not finished.
 */
export const ImportState = z.enum(['running', 'interrupted', 'plan_limit_reached', 'finished'])
export type ImportState = z.infer<typeof ImportState>

/** Something in the file that could not be imported. */
export const ImportProblem = z.object({
  /** From 1; left out where `item` says the place. */
  line: z.number().int().optional(),
  /** Place in the list that a JSON or CSV file holds, from 1. */
  item: z.number().int().optional(),
  /** The file of the folder or archive that the line or item is in. */
  file: z.string().optional(),
  message: z.string(),
})
export type ImportProblem = z.infer<typeof ImportProblem>

const Imported = z.object({
  created: z.number().int(),
  /** Was there already, and is as it was. */
  existing: z.number().int(),
})

/** What became of a file so far. */
export const ImportReport = z.object({
  id: z.string(),
  format: ImportFormat,
  state: ImportState,
  entities: Imported,
  observations: Imported,
  relations: Imported,
  problems: z.object({ total: z.number().int(), first: z.array(ImportProblem) }),
  /** Relations come in a second pass, which begins at the first of them. */
  pass: z.enum(['entities', 'relations']),
  bytes: z.number().int(),
  /** Bytes of the file that are behind the pass. */
  bytesDone: z.number().int(),
  createdAt: IsoDateTime,
  updatedAt: IsoDateTime,
})
export type ImportReport = z.infer<typeof ImportReport>

/** `fileName` names a note that comes alone, and the place of what is odd. */
export const ImportQuery = z.object({ fileName: StorableText.max(1024).optional() })

export const ImportResponse = z.object({ import: ImportReport })

/** Most entities that a preview looks at, and most of what it lists. */
export const previewEntitiesMax = 200_000
export const previewListMax = 20
export const previewSampleMax = 5

const CountOfType = z.object({ type: z.string(), count: z.number().int() })

/** What an import of a file would store, and what is odd about it. Nothing was stored. */
export const ImportPreview = z.object({
  format: ImportFormat,
  /** Of the lines that the file was read as. */
  bytes: z.number().int(),
  /** False where only the beginning of a very large file was looked at. */
  isWhole: z.boolean(),
  entities: Imported,
  observations: Imported,
  relations: Imported,
  /** Of what is new, most frequent first, at most 50. */
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
  /** Entities that are there already; they keep their fields and gain the observations they lack. */
  existing: z.array(z.object({ id: z.string(), name: z.string(), type: z.string() })),
  /** Files of a folder or archive that hold nothing of this format. */
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

/** Version of our JSON lines, in the header of each file. */
export const exportVersion = 1
