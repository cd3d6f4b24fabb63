// A program: the smallest honest server with the duties of ours. It checks a key by its hash, writes a log line a
// call, and answers a create only when entity, observation, history and search index are on the disk.
import { createHash, randomUUID } from 'node:crypto'
import { fdatasync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import Fastify from 'fastify'
import pino from 'pino'
import { sampleEntity } from './sample-graph.ts'

export type FloorSettings = { directory: string; key: string; entities: number }
type Row = Record<string, string | number>
type Relation = { fromEntityId: string; toEntityId: string; type: string }
type Entity = { name: string; type: string; observations: string[] }

const { directory, key, entities }: FloorSettings = JSON.parse(await text(process.stdin))
const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')
const file = join(directory, 'floor.db')
const database = new DatabaseSync(file)
database.exec(`
  pragma journal_mode = wal;
  pragma synchronous = normal;
  create table if not exists keys (hash text primary key, account integer) without rowid;
  create table if not exists entities
    (id text primary key, account integer, name text, type text, created_at integer) without rowid;
  create index if not exists newest on entities (account, created_at);
  create table if not exists observations (number integer primary key, id text, entity_id text, content text);
  create table if not exists relations (id text primary key, from_id text, to_id text, type text) without rowid;
  create unique index if not exists ends on relations (from_id, to_id, type);
  create table if not exists history (number integer primary key, at integer, operation text, subject text);
  create virtual table if not exists words using fts5 (content, content = 'observations', content_rowid = 'number');
`)
const find = {
  key: database.prepare('select account from keys where hash = ?'),
  entity: database.prepare('select * from entities where account = ? and id = ?'),
  newest: database.prepare('select * from entities where account = ? order by created_at desc limit ?'),
  words: database.prepare(`select o.id, o.content, e.id as entityId, e.name, e.type from words
    join observations o on o.number = words.rowid join entities e on e.id = o.entity_id
    where words match ? and e.account = ? order by rank limit 20`),
}
const add = {
  key: database.prepare('insert or ignore into keys values (?, 1)'),
  entity: database.prepare('insert into entities values (?, ?, ?, ?, ?)'),
  observation: database.prepare('insert into observations (id, entity_id, content) values (?, ?, ?)'),
  words: database.prepare('insert into words (rowid, content) values (?, ?)'),
  relation: database.prepare('insert into relations values (?, ?, ?, ?)'),
  history: database.prepare('insert into history (at, operation, subject) values (?, ?, ?)'),
}
const [begin, commit] = ['begin immediate', 'commit'].map((sql) => database.prepare(sql))

function createEntity(account: number, { name, type, observations }: Entity) {
  const [id, at] = [`ent_${randomUUID()}`, Date.now()]
  add.entity.run(id, account, name, type, at)
  add.history.run(at, 'entity_created', id)
  const stored = observations.map((content) => {
    const observation = `obs_${randomUUID()}`
    const { lastInsertRowid } = add.observation.run(observation, id, content)
    add.words.run(lastInsertRowid, content)
    add.history.run(at, 'observation_added', observation)
    return { id: observation, content }
  })
  return { id, name, type, createdAt: new Date(at).toISOString(), observations: stored }
}

function createRelation(account: number, { fromEntityId, toEntityId, type }: Relation) {
  const [from, to] = [fromEntityId, toEntityId].map((id) => find.entity.get(account, id))
  if (from === undefined || to === undefined) throw new Error('No such entity')
  const id = `rel_${randomUUID()}`
  add.relation.run(id, fromEntityId, toEntityId, type)
  add.history.run(Date.now(), 'relation_created', id)
  return { id, from, to, type }
}

const toEntity = ({ id, name, type, created_at }: Row) => ({
  ...{ id, name, type },
  createdAt: new Date(Number(created_at)).toISOString(),
})

let waiting: (() => void)[] = []
let written: (() => void)[] = []
let isBusy = false
const sync = promisify(fdatasync)
/** Of the write-ahead log, which exists from the first commit on. */
let log: number | undefined

/** Writes that wait for one another share a transaction and a sync. */
async function writeAll(): Promise<void> {
  isBusy = true
  await new Promise(setImmediate)
  while (waiting.length > 0) {
    const group = waiting
    waiting = []
    begin!.run()
    for (const run of group) run()
    commit!.run()
    log ??= openSync(`${file}-wal`, 'r+')
    await sync(log)
    for (const done of written) done()
    written = []
  }
  isBusy = false
}
function write<T>(work: () => T): Promise<T> {
  return new Promise((resolve, reject) => {
    waiting.push(() => {
      try {
        const value = work()
        written.push(() => resolve(value))
      } catch (error) {
        reject(error)
      }
    })
    if (!isBusy) void writeAll()
  })
}

if (find.key.get(hashOf(key)) === undefined) {
  begin!.run()
  add.key.run(hashOf(key))
  for (let i = 0; i < entities; i++) {
    const { entityType: type, ...entity } = sampleEntity(i, entities)
    createEntity(1, { ...entity, type })
  }
  commit!.run()
}

const lines = pino(pino.destination({ dest: 2, minLength: 4_096, sync: false }))
const app = Fastify()
app.decorateRequest('account', 0)
app.addHook('onRequest', async (request, reply) => {
  const row = find.key.get(hashOf(request.headers.authorization?.slice('Bearer '.length) ?? ''))
  if (row === undefined) return reply.code(401).send({ error: 'unknown key' })
  Object.assign(request, { account: row.account })
})
app.addHook('onResponse', async ({ method, url, id }, { statusCode, elapsedTime }) => {
  lines.info({ id, method, url, statusCode, elapsedTime })
})
const accountOf = (request: object) => Number(Reflect.get(request, 'account'))

app.get<{ Params: { id: string } }>('/api/entities/:id', async (request, reply) => {
  const row = find.entity.get(accountOf(request), request.params.id) as Row | undefined
  return row === undefined ? reply.code(404).send({ error: 'unknown entity' }) : toEntity(row)
})
app.get<{ Querystring: { limit: number } }>('/api/entities', async (request) => {
  const rows = find.newest.all(accountOf(request), request.query.limit) as Row[]
  return { entities: rows.map(toEntity) }
})
app.get<{ Querystring: { query: string } }>('/api/search', async (request) => {
  const words = request.query.query.split(' ').map((word) => `"${word}"`)
  return { results: find.words.all(words.join(' OR '), accountOf(request)) }
})
app.post<{ Body: Entity }>('/api/entities', async (request, reply) =>
  reply.code(201).send(await write(() => createEntity(accountOf(request), request.body))),
)
app.post<{ Body: Relation }>('/api/relations', async (request, reply) =>
  reply.code(201).send(await write(() => createRelation(accountOf(request), request.body))),
)
process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}\n`)
