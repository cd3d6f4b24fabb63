import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestServer, type TestServer } from '../../../test/harness.ts'
import { connectOverHttp, connectOverStdio } from '../../../test/mcp-clients.ts'

const Entry = z.object({
  uri: z.string(),
  frontmatter: z.object({ name: z.string(), description: z.string() }),
  resources: z.array(z.object({ uri: z.string(), digest: z.string(), size: z.number() })),
})
const Listed = z.looseObject({ skills: z.array(Entry) })
const Got = z.looseObject({ skill: Entry })

let server: TestServer
beforeAll(async () => {
  server = await startTestServer('sqlite')
})
afterAll(() => server.close())

describe.each(['http', 'http, 2025', 'bridge'])('over %s', (way) => {
  test('the skill is listed, given and read, and its digest is that of its text', async () => {
    const { apiKey } = await server.signUp()
    const env = { LOCI_URL: server.url, LOCI_API_KEY: apiKey }
    const mode = way === 'http, 2025' ? 'legacy' : 'auto'
    const agent =
      way === 'bridge' ? await connectOverStdio(env, mode) : await connectOverHttp(server, apiKey, mode)
    expect(agent.getServerCapabilities()?.extensions).toEqual({ 'io.modelcontextprotocol/skills': {} })
    const { skills, ttlMs } = await agent.request({ method: 'skills/list', params: {} }, Listed)
    expect([skills.length, ttlMs]).toEqual([1, mode === 'auto' ? 300_000 : undefined])
    const [{ uri, frontmatter, resources }] = skills as [z.infer<typeof Entry>]
    expect(uri).toBe('skill://loci-memory/SKILL.md')
    const { skill } = await agent.request({ method: 'skills/get', params: { uri } }, Got)
    expect(skill).toEqual(skills[0])
    const { contents } = await agent.readResource({ uri })
    const text = contents[0] !== undefined && 'text' in contents[0] ? contents[0].text : ''
    expect(text).toContain(`name: ${frontmatter.name}\ndescription: ${frontmatter.description}\n---\n`)
    const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`
    expect(resources).toEqual([{ uri, digest, size: Buffer.byteLength(text) }])
    const other = { method: 'skills/get', params: { uri: 'skill://other/SKILL.md' } }
    await expect(agent.request(other, Got)).rejects.toThrow('not found')
    await agent.close()
  })
})
