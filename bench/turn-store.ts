/**
 * What storing conversations costs: transcripts are read, cleaned, stored and indexed in the database of this machine, as
 * `loci import` does, beside the same turns in one plain FTS5 table. `npm run bench:turn-store -- 50` (MB of transcripts).
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pino from 'pino'
import { localSink } from '../server/src/features/conversations/local-sink.ts'
import { followTranscript } from '../server/src/features/transcripts/follow-transcript.ts'
import { placesIn } from '../server/src/features/transcripts/transcript-places.ts'
import { transcriptLister, transcriptSources } from '../server/src/features/transcripts/transcript-sources.ts'
import type { TurnBatch, TurnSink } from '../server/src/features/transcripts/turn-batches.ts'
import { findLocalActor } from '../server/src/features/users/local-actor.ts'
import { readConfig } from '../server/src/ground/config/config.ts'
import { closeContext, openContext } from '../server/src/open-context.ts'
import { databaseFileName } from '../server/src/store/open.ts'
import { print } from './lib/report.ts'
import { writeSessions } from './lib/sessions.ts'

const [megabytes = '50'] = process.argv.slice(2)
const home = mkdtempSync(join(tmpdir(), 'loci-bench-'))
const read = writeSessions(join(home, '.claude', 'projects'), Number(megabytes) * 1e6)
const list = transcriptLister(transcriptSources({ home, platform: process.platform, env: {} }))

try {
  const rows = [await measureLoci(), await measurePlain()]
  print(`${Math.round(read / 1e6)} MB of transcripts`, rows)
} finally {
  rmSync(home, { recursive: true, force: true })
}

type Stored = { turns: number; textBytes: number }

/** Passes all turns to a sink; what they hold and how long it took. */
async function store(
  name: string,
  sink: TurnSink,
): Promise<Stored & { seconds: number; cpuSeconds: number }> {
  const stored: Stored = { turns: 0, textBytes: 0 }
  const counting: TurnSink = async (batch) => {
    stored.turns += batch.turns.length
    for (const { text, tool } of batch.turns)
      stored.textBytes += Buffer.byteLength(text + (tool?.input ?? ''))
    return sink(batch)
  }
  const [began, before] = [performance.now(), process.cpuUsage()]
  const places = placesIn(join(home, name))
  for (const transcript of list()) await followTranscript(transcript, { places, sink: counting })
  const { user, system } = process.cpuUsage(before)
  return { ...stored, seconds: (performance.now() - began) / 1000, cpuSeconds: (user + system) / 1e6 }
}

async function measureLoci() {
  const config = readConfig({ LOCI_DATA_DIR: join(home, 'data') })
  const ctx = await openContext(config, pino({ level: 'silent' }))
  const stored = await store('loci', localSink(ctx, await findLocalActor(ctx)))
  await closeContext(ctx)
  return toRow('Loci', stored, join(config.dataDir, databaseFileName))
}

async function measurePlain() {
  const file = join(home, 'plain.db')
  const database = new DatabaseSync(file)
  database.exec(
    'pragma journal_mode = wal; pragma synchronous = full; create virtual table turns using fts5 (text)',
  )
  const insert = database.prepare('insert into turns (text) values (?)')
  const stored = await store('plain', async ({ turns }: TurnBatch) => {
    database.exec('begin')
    for (const { text, tool } of turns)
      insert.run(tool?.input === undefined ? text : `${text}\n${tool.input}`)
    database.exec('commit')
    return { stored: turns.length, known: 0, redacted: 0 }
  })
  database.close()
  return toRow('one FTS5 table', stored, file)
}

function toRow(
  way: string,
  { turns, textBytes, seconds, cpuSeconds }: Awaited<ReturnType<typeof store>>,
  file: string,
) {
  return {
    way,
    turns,
    'text, MB': (textBytes / 1e6).toFixed(1),
    'bytes a byte of text': (statSync(file).size / textBytes).toFixed(2),
    'turns a second': Math.round(turns / seconds),
    'MB of transcripts a second': (read / 1e6 / seconds).toFixed(1),
    'µs of processor time a turn': Math.round((1e6 * cpuSeconds) / turns),
  }
}
