/**
 * A program: sends batches of 7 MB (110 observations of 65,000 characters, made from 20,000 words) to a
 * server, one per line of standard input, and prints the milliseconds each took. It has its own process, so
 * that its work does not delay the calls being measured.
 * Usage: node bench/lib/large-batch.ts <url> <key>
 */
import { createInterface } from 'node:readline'
import { seededRandom } from '../../server/test/server-process.ts'

const [url, key] = process.argv.slice(2)
const observations = 110
const characters = 65_000
const vocabulary = 20_000
const random = seededRandom(7)

const wordOf = (index: number) => `${index.toString(36)}${'aeiou'[index % 5]}n`

function longText(): string {
  let text = ''
  while (text.length < characters) text += `${wordOf(Math.floor(random() * vocabulary))} `
  return text.slice(0, characters).trim()
}

const batchOf = (round: number) =>
  JSON.stringify({
    entities: Array.from({ length: observations }, (_, i) => ({
      name: `Large ${round} ${i}`,
      type: 'note',
      observations: [longText()],
    })),
  })

let round = 0
let body = batchOf(round)
process.stdout.write('ready\n')
for await (const _ of createInterface(process.stdin)) {
  const startedAt = performance.now()
  const answer = await fetch(`${url}/api/entities/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  })
  await answer.arrayBuffer()
  const ms = Math.round(performance.now() - startedAt)
  round++
  body = batchOf(round)
  process.stdout.write(answer.ok ? `${ms}\n` : `refused ${answer.status}\n`)
}
