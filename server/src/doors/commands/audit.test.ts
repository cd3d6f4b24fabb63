import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type HealthItem, type HealthKind, HealthReport } from '@loci/contract/health'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runLociInProcess } from '../../../test/command-in-process.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { environmentOf, runLoci } from '../../../test/loci-command.ts'

const secret = ['AKIA', 'Q3XJ7KZP5M2NR4TB'].join('')

const entity = (name: string, entityType: string, observations: unknown[]) =>
  JSON.stringify({ type: 'entity', name, entityType, observations })
const relation = (from: string, to: string) =>
  JSON.stringify({ type: 'relation', from, to, relationType: 'maintains' })

const contentsOf = (item: HealthItem | undefined) =>
  item?.subjects.map(({ observation }) => observation?.content)
const only = (report: HealthReport, kind: HealthKind) => {
  const items = report.items.filter((item) => item.kind === kind)
  expect(items.map(({ evidence }) => evidence)).toHaveLength(1)
  return items[0]!
}

describe('loci audit PATH', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loci-audit-test-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const put = async (path: string, text: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
    return join(folder, path)
  }
  const dataDir = () => join(folder, 'data')
  const run = (...args: string[]) =>
    runLociInProcess(['audit', ...args], { env: { LOCI_DATA_DIR: dataDir() } })
  const check = async (path: string) => {
    const { code, stdout, stderr } = await run(path, '--json')
    expect(stderr).toBe('')
    const report = HealthReport.parse(JSON.parse(stdout))
    expect(code).toBe(report.items.length === 0 ? 0 : 1)
    return report
  }

  test('finds each kind in a file of the reference memory server', async () => {
    const path = await put(
      'memory.json',
      [
        entity('Mara Lind', 'person', [
          'Lives in Berlin',
          'Lives in Munich',
          'Speaks German and English',
          'Speaks English and German',
          'Likes tea',
          'Likes tea.',
          `Deploys with the key ${secret}`,
          'She starts next Monday',
        ]),
        entity('checkout-service', 'service', ['Retries card payments three times', 'x'.repeat(2_000)]),
        entity('CheckoutService', 'service', ['Runs on port 8080']),
        relation('Mara Lind', 'checkout-service'),
        relation('Mara Lind', 'billing-service'),
      ].join('\n'),
    )
    const report = await check(path)
    expect(report.counts).toMatchObject({
      secret: 1,
      rivals: 1,
      duplicate: 3,
      not_standalone: 1,
      too_long: 1,
    })
    expect(report.counts).toMatchObject({ orphan: 2, stale: 0, expired: 0 })
    expect(report.checked).toEqual({ entities: 3, observations: 11 })
    expect(contentsOf(only(report, 'rivals'))).toEqual(['Lives in Munich', 'Lives in Berlin'])
    expect(only(report, 'rivals').subjects[0]!.place).toBe('line 1')
    expect(only(report, 'not_standalone').evidence).toBe('“She” and “next Monday”.')
    expect(only(report, 'secret')).toMatchObject({
      severity: 'high',
      evidence: 'Looks like a secret: aws access key.',
      cure: { action: 'erase', content: 'Deploys with the key [redacted: aws-access-key]' },
    })
    expect(JSON.stringify(report)).not.toContain(secret)
  })

  test('reads an export of mem0 and proposes that the newer fact replaces the older', async () => {
    const memory = (id: string, text: string, created_at: string) => ({
      ...{ id, memory: text, hash: id, created_at, user_id: 'ada' },
    })
    const path = await put(
      'mem0.json',
      JSON.stringify({
        results: [
          memory('a', 'Works at Nordwind', '2025-02-01T10:00:00Z'),
          memory('b', 'Works at Haldvik Freight', '2026-06-02T10:00:00Z'),
          memory('c', 'Prefers tea', '2026-06-02T10:00:00Z'),
        ],
      }),
    )
    const found = only(await check(path), 'rivals')
    expect(contentsOf(found)).toEqual(['Works at Haldvik Freight', 'Works at Nordwind'])
    expect(found.evidence).toContain('The newer was stored on 2 June 2026, the older on 1 February 2025.')
    expect(found.cure).toEqual({ action: 'replace' })
  })

  test("reads the memory folders of Claude Code and Basic Memory, and names the notes' files", async () => {
    await put('claude/MEMORY.md', '# Memory\n\n- [Testing](testing.md): how tests run\n')
    await put(
      'claude/testing.md',
      '---\nname: Testing\ntype: project\n---\n\n- Use npm for installing packages\n- Use pnpm for installing packages\n',
    )
    await put(
      'basic/search.md',
      '---\ntitle: Search\ntype: note\n---\n# Search\n\n## Observations\n- [fact] The server listens on port 8080 #ops\n- [fact] The server listens on port 3000 #ops\n\n## Relations\n- implements [[Ranking]]\n- needs [[Index]]\n',
    )
    const claude = only(await check(join(folder, 'claude')), 'rivals')
    expect(claude.subjects.map(({ place }) => place)).toEqual(['testing.md', 'testing.md'])
    const basic = await check(join(folder, 'basic'))
    expect(only(basic, 'rivals').evidence).toBe('The same statement with another number.')
    expect(basic.checked.observations).toBe(2)
  })

  test('reads what an export of Loci knows of files, expiry and replaced facts', async () => {
    const path = await put(
      'export.jsonl',
      entity('retry', 'file', [
        { content: 'Gives up after three tries', stale: [{ path: 'src/retry.ts', reason: 'changed' }] },
        { content: 'Is frozen', expiresAt: '2026-01-31T00:00:00.000Z' },
        { id: 'obs_1', content: 'The limit is 5', replacedBy: 'obs_2' },
        { id: 'obs_2', content: 'The limit is 7', replaces: ['obs_1'] },
      ]),
    )
    const report = await check(path)
    expect(only(report, 'stale')).toMatchObject({
      evidence: 'src/retry.ts has changed.',
      cure: { action: 'confirm' },
    })
    expect(only(report, 'expired').evidence).toBe(
      'Not told since 31 January 2026, and deleted after 2 March 2026.',
    )
    expect(report.counts.rivals).toBe(0)
  })

  test('proposes a wording that stands alone where name and day are known', async () => {
    const path = await put(
      'export.jsonl',
      entity('Jonas Weber', 'person', [
        { content: 'He is away from tomorrow', createdAt: '2026-10-13T09:00:00.000Z' },
        { content: 'He said it yesterday', createdAt: '2026-10-13T09:00:00.000Z' },
      ]),
    )
    const { items } = await check(path)
    expect(items.map(({ cure }) => cure.content)).toContain('Jonas Weber is away from 14 October 2026')
    expect(items[0]!.evidence).toBe('“He” and “tomorrow”; written on 13 October 2026.')
  })

  test('proposes the parts of a text that is too long, and leaves code whole', async () => {
    const paragraph = 'The planner tries the cache first. '.repeat(20).trim()
    const code = `\`\`\`\nfirst\n\nsecond\n${'x'.repeat(900)}\n\`\`\``
    const path = await put(
      'export.jsonl',
      entity('planner', 'service', [`How it works:\n\n${paragraph}\n\n${code}\n\n${paragraph}`]),
    )
    const { cure } = only(await check(path), 'too_long')
    expect(cure.parts).toEqual([`How it works:\n${paragraph}`, code, paragraph])
  })

  test('writes a page that loads nothing and holds no secret, and escapes what was stored', async () => {
    const path = await put(
      'memory.json',
      entity('<img src=x onerror=alert(1)>', 'note', [
        `The key is ${secret}`,
        'It was <b>fixed</b> yesterday',
      ]),
    )
    const page = join(folder, 'report.html')
    const { code, stdout } = await run(path, '--html', page)
    expect(code).toBe(1)
    expect(stdout).toContain(`The page is in ${page}.`)
    const text = await readFile(page, 'utf8')
    expect(text).toContain('hidden: aws-access-key')
    for (const never of [secret, '<img', '<b>fixed', '<script', 'http:', 'https:', '@import', 'url('])
      expect(text).not.toContain(never)
    expect(text).toContain('prefers-color-scheme: dark')
    expect(stdout).not.toContain(secret)
  })

  test.each([[], ['--json']])(
    'prints texts that cannot control the terminal or turn a line (%o)',
    async (...options) => {
      const text = 'He said yesterday \u009b31m that \u202ethis holds'
      const { stdout } = await run(await put('memory.json', entity('Ada', 'person', [text])), ...options)
      expect(stdout).toContain('yesterday \\u009b31m that \\u202ethis')
      expect(stdout).not.toMatch(/[\u0080-\u009f\u202e]/)
    },
  )

  test('says that there is nothing to mend, stores nothing and leaves nothing behind', async () => {
    const path = await put('memory.json', entity('Ada', 'person', ['Prefers tea']))
    const temporary = join(folder, 'tmp')
    await mkdir(temporary)
    const env = { LOCI_DATA_DIR: dataDir(), TMPDIR: temporary }
    const { code, stdout } = await runLoci(['audit', path], { env })
    expect(code).toBe(0)
    expect(stdout).toContain('Nothing to mend. 1 observation checked.')
    expect(existsSync(dataDir())).toBe(false)
    expect(await readdir(temporary)).toEqual([])
  })

  test('ends with 2 for what it cannot read', async () => {
    expect(await run(join(folder, 'nothing.json'))).toMatchObject({ code: 2, stdout: '' })
    const path = await put('bill.json', '{"total": 3}')
    const { code, stderr } = await run(path)
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('cannot be checked: Its format was not recognised'),
    ])
    expect((await run(path, '--space', 'Main')).code).toBe(2)
  })
})

describeOnBothDatabases('loci audit of a space', (server) => {
  test('checks the memory of this machine', async () => {
    const person = await server().signUp()
    const body = { name: 'Ada', type: 'person', observations: ['Lives in Berlin', 'Lives in Munich'] }
    await person.rest.createEntity({ body })
    const email = person.email
    const env = environmentOf(server().config)
    const { code, stdout, stderr } = await runLoci(['audit', '--json', '--account', email], { env })
    expect(stderr).toBe('')
    expect(code).toBe(1)
    const report = HealthReport.parse(JSON.parse(stdout))
    expect(contentsOf(only(report, 'rivals'))).toEqual(['Lives in Munich', 'Lives in Berlin'])
    expect(only(report, 'rivals').subjects[0]!.entity.id).toMatch(/^ent_/)
  })
})
