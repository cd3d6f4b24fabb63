import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runLociInProcess } from '../../../test/command-in-process.ts'
import { describeOnBothDatabases, type Person } from '../../../test/harness.ts'
import { environmentOf, runLoci } from '../../../test/loci-command.ts'
import { createRandom } from '../../../test/random.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describeOnBothDatabases('loci verify', (server) => {
  let person: Person
  let folder: string
  let app: string

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loci-verify-'))
    person = await server().signUp()
    app = (await person.rest.createEntity({ body: { name: 'engine', type: 'project' } })).entity.id
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const write = async (path: string, lines: readonly string[], lineEnd = '\n') => {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), `${lines.join(lineEnd)}${lineEnd}`)
  }
  const cite = async (...files: { path: string; lines?: string; hash?: string; repository?: string }[]) => {
    const observations = files.map((file, i) => ({ content: `Fact ${i} of ${file.path}`, files: [file] }))
    return (await person.rest.createObservations({ params: { id: app }, body: { observations } }))
      .observations
  }
  const verify = async (...more: string[]) => {
    const env = { LOCI_URL: server().url, LOCI_API_KEY: person.apiKey }
    const { code, stdout, stderr } = await runLociInProcess(['verify', folder, '--json', ...more], { env })
    expect(stderr).toBe('')
    return { code, ...JSON.parse(stdout) }
  }

  test('finds all drift of a repository of 200 cited facts, and reports nothing else', async () => {
    const random = createRandom(11)
    const repository = basename(folder)
    const source = (file: number) =>
      Array.from({ length: 40 }, (_, line) => `const value${file}_${line} = ${line * file}`)
    const texts = Array.from({ length: 20 }, (_, file) => source(file))
    const cited = Array.from({ length: 200 }, (_, i) => {
      const [file, first] = [i % 20, 1 + 4 * Math.floor(i / 20)]
      const text = texts[file]!.slice(first - 1, first + 2).join('\n')
      return {
        path: `src/file-${file}.ts`,
        lines: `${first}-${first + 2}`,
        hash: sha256(i % 2 ? text : `${text}\n`),
        repository,
      }
    })
    const observations = await cite(...cited)
    const drifted = new Map<string, string>()
    for (const [file, text] of texts.entries()) {
      if (file === 7) {
        for (const [i, { path }] of cited.entries())
          if (path === 'src/file-7.ts') drifted.set(observations[i]!.id, 'gone')
        continue
      }
      const now = [...text]
      for (const [i, { path, lines }] of cited.entries()) {
        if (path !== `src/file-${file}.ts` || random() > 0.3) continue
        now[Number(lines.split('-')[0])] += ' // edited'
        drifted.set(observations[i]!.id, 'changed')
      }
      // New lines move all others, and the line ends of an editor change nothing.
      const added = Array.from({ length: file % 4 }, (_, line) => `// new ${line}`)
      await write(`src/file-${file}.ts`, [...added, ...now], file % 3 === 0 ? '\r\n' : '\n')
    }
    const { code, stale, confirmed, facts, moved } = await verify()
    const found = new Map(stale.map((one: Record<string, string>) => [one.observationId, one.reason]))
    expect(drifted.size).toBeGreaterThan(40)
    expect(found).toEqual(drifted)
    expect({ code, confirmed, facts }).toEqual({ code: 1, confirmed: 200 - drifted.size, facts: 200 })
    expect(moved.length).toBeGreaterThan(50)
    expect((await verify()).stale).toEqual(stale)
    const { observations: told } = await person.rest.listStaleObservations({ query: { limit: '500' } })
    expect(told.map(({ id }) => id).sort()).toEqual([...drifted.keys()].sort())
  })

  test('takes the hash of what cites none, and leaves alone what can be of another repository', async () => {
    await write('a.ts', ['one', 'two'])
    const [plain] = await cite(
      { path: 'a.ts', lines: '2' },
      { path: 'elsewhere.ts' },
      { path: 'a.ts', repository: 'other', hash: 'x' },
    )
    expect(await verify('--repository', 'engine')).toMatchObject({ code: 0, stale: [] })
    await write('a.ts', ['one', 'changed'])
    expect((await verify('--repository', 'engine')).stale).toMatchObject([
      { observationId: plain!.id, reason: 'changed' },
    ])
  })

  test('reads nothing outside the folder', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'loci-outside-'))
    await writeFile(join(outside, 'secret'), 'secret\n')
    await symlink(outside, join(folder, 'link'))
    const repository = 'engine'
    await cite(
      { path: `../${basename(outside)}/secret`, hash: sha256('secret\n'), repository },
      { path: 'link/secret', hash: sha256('secret\n'), repository },
    )
    const { stale } = await verify('--repository', repository)
    expect(stale.map(({ reason }: { reason: string }) => reason)).toEqual(['gone', 'gone'])
    await rm(outside, { recursive: true })
  })

  test('works on the database of this machine, in words', async () => {
    await write('a.ts', ['one'])
    const [fact] = await cite({ path: 'a.ts', hash: sha256('another\n'), repository: basename(folder) })
    const env = { ...environmentOf(server().ctx.config), LOCI_API_KEY: person.apiKey }
    const { code, stdout } = await runLoci(['verify', folder], { env })
    expect(stdout).toContain(`stale  ${fact!.id}  a.ts has changed  engine: Fact 0 of a.ts`)
    expect(stdout).toContain(`1 fact rests on files of ${basename(folder)}: 0 as they were, 1 stale.`)
    expect(code).toBe(1)
    expect(await runLociInProcess(['verify', join(folder, 'a.ts')], { env })).toMatchObject({ code: 1 })
  })
})
