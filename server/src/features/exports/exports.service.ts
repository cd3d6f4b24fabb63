import type { ExportFormat } from '@loci/contract/imports'
import type { MomentOrSeq } from '@loci/contract/moments'
import { numbersOf } from '../../ground/lib/ids.ts'
import { joinBuffers, joinPieces } from '../../ground/lib/join-pieces.ts'
import { writeZip, type ZipFile } from '../../ground/lib/zip.ts'
import type { Actor } from '../../tenancy/auth/actor.ts'
import type { Context } from '../../tenancy/context.ts'
import { writeCsv } from './formats/csv.ts'
import { writeGraphml } from './formats/graphml.ts'
import { writeJsonLd } from './formats/json-ld.ts'
import { writeLoci, writeMcpMemory } from './formats/json-lines.ts'
import { writeMarkdown } from './formats/markdown.ts'
import type { GraphSource } from './graph-source.ts'
import { liveGraph } from './live-graph.ts'
import { pastGraph } from './past-graph.ts'

const pieceLength = 64 * 1024

/** As one file, or as several, which are put into an archive where one is needed. */
type Writer =
  | { text: (source: GraphSource) => AsyncGenerator<string, void> }
  | { files: (source: GraphSource) => AsyncGenerator<ZipFile, void> }

const writers: Record<ExportFormat, Writer> = {
  loci: { text: writeLoci },
  'mcp-memory': { text: writeMcpMemory },
  markdown: { files: writeMarkdown },
  csv: { files: writeCsv },
  graphml: { text: writeGraphml },
  'json-ld': { text: writeJsonLd },
}

/** Only these entities and the relations between them, or all as it was. */
export type ExportChoice = { ids?: readonly string[] | undefined; asOf?: MomentOrSeq | undefined }

/** The graph as one file, in bounded memory and without a lock. */
export async function* exportGraph(
  ctx: Context,
  actor: Actor,
  format: ExportFormat,
  choice: ExportChoice = {},
): AsyncGenerator<string | Buffer, void> {
  const writer = writers[format]
  const source = await sourceOf(ctx, actor, choice)
  if ('text' in writer) yield* joinPieces(writer.text(source), pieceLength)
  else yield* joinBuffers(writeZip(writer.files(source), new Date(source.at)), pieceLength)
}

/** The same as files of a folder; undefined for a format that is one file. */
export function exportFiles(
  ctx: Context,
  actor: Actor,
  format: ExportFormat,
): AsyncGenerator<ZipFile, void> | undefined {
  const writer = writers[format]
  return 'files' in writer ? filesOf(ctx, actor, writer.files) : undefined
}

async function* filesOf(
  ctx: Context,
  actor: Actor,
  files: (source: GraphSource) => AsyncGenerator<ZipFile, void>,
): AsyncGenerator<ZipFile, void> {
  yield* files(await sourceOf(ctx, actor, {}))
}

function sourceOf(ctx: Context, actor: Actor, { ids, asOf }: ExportChoice): Promise<GraphSource> {
  if (asOf !== undefined) return pastGraph(ctx, actor, asOf)
  return liveGraph(ctx, actor, ids && numbersOf('ent', ids))
}
