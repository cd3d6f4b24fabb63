/**
 * How fast agents' transcripts are read and cleaned of secrets, beside reading and parsing the same lines alone, and what
 * a look for new turns costs among many files at rest. Stores nothing. `npm run bench:transcripts -- 200 5000` (MB, files).
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { followTranscript } from '../server/src/features/transcripts/follow-transcript.ts'
import { placesIn } from '../server/src/features/transcripts/transcript-places.ts'
import { transcriptLister, transcriptSources } from '../server/src/features/transcripts/transcript-sources.ts'
import type { TurnSink } from '../server/src/features/transcripts/turn-batches.ts'
import { print } from './lib/report.ts'
import { writeSessions } from './lib/sessions.ts'

const [megabytes = '200', files = '5000'] = process.argv.slice(2)
const home = mkdtempSync(join(tmpdir(), 'loci-bench-'))
const sources = transcriptSources({ home, platform: process.platform, env: {} })
const projects = join(home, '.claude', 'projects')

try {
  await measureReading(writeSessions(projects, Number(megabytes) * 1e6))
  rmSync(projects, { recursive: true })
  measureLooks(Number(files))
} finally {
  rmSync(home, { recursive: true, force: true })
}

async function measureReading(bytes: number): Promise<void> {
  const transcripts = transcriptLister(sources)()
  let turns = 0
  const sink: TurnSink = async (batch) => {
    turns += batch.turns.length
    return { stored: batch.turns.length, known: 0, redacted: 0 }
  }
  const parse = secondsOf(() => {
    for (const { path } of transcripts)
      for (const line of readFileSync(path, 'utf8').split('\n')) if (line !== '') JSON.parse(line)
  })
  const before = performance.now()
  const places = placesIn(join(home, 'places'))
  for (const transcript of transcripts) await followTranscript(transcript, { places, sink })
  const read = (performance.now() - before) / 1000
  print(`${Math.round(bytes / 1e6)} MB of transcripts, ${turns} turns`, [
    {
      way: 'read and cleaned',
      'MB a second': Math.round(bytes / 1e6 / read),
      'turns a second': Math.round(turns / read),
    },
    {
      way: 'only parsed',
      'MB a second': Math.round(bytes / 1e6 / parse),
      'turns a second': Math.round(turns / parse),
    },
  ])
}

function secondsOf(work: () => void): number {
  const before = performance.now()
  work()
  return (performance.now() - before) / 1000
}

function measureLooks(count: number): void {
  for (let n = 0; n < count; n++) {
    const folder = join(projects, `p${n % 50}`)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `s${n}.jsonl`), '{}\n')
  }
  const tomorrow = Date.now() + 48 * 3_600_000
  const list = transcriptLister(sources, () => tomorrow)
  const looks = 60
  list()
  const before = process.cpuUsage()
  for (let n = 0; n < looks; n++) list()
  const { user, system } = process.cpuUsage(before)
  const ms = (user + system) / 1000 / looks
  print(`${count} files at rest`, [
    {
      'ms a look': ms.toFixed(1),
      'share of a core': `${((100 * ms) / Math.max(1000, 200 * ms)).toFixed(2)} %`,
    },
  ])
}
