import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addFixtures } from './add-fixtures.ts'
import { startSubject } from './run-suite.ts'

const baseline = fileURLToPath(new URL('./baseline-2025-11-25.yml', import.meta.url))
const headerValidation = ['--scenario', 'http-header-validation', '--spec-version', '2026-07-28'] as const

type Subject = Awaited<ReturnType<typeof startSubject>>

describe('the MCP conformance suite, on the server with the fixtures that its scenarios ask for', () => {
  let subject: Subject
  beforeAll(async () => {
    subject = await startSubject({ extendMcp: addFixtures })
  })
  afterAll(() => subject?.close())

  test('passes all 37 scenarios that protocol 2026-07-28 requires', async () => {
    const { code, passed, out } = await subject.run('--requirements', '2026-07-28')
    expect([code, passed.length], out).toEqual([0, 37])
  })

  test('passes protocol 2025-11-25 except for what needs a session', async () => {
    const args = ['--requirements', '2025-11-25', '--expected-failures', baseline]
    const { code, passed, out } = await subject.run(...args)
    expect([code, passed.length], out).toEqual([0, 25])
  })

  test('passes the scenario about headers that must match the body', async () => {
    const { code, out } = await subject.run(...headerValidation)
    expect(code, out).toBe(0)
    expect(out).toContain('Passed: 14/14, 0 failed, 0 warnings')
  })
})

/** The SDK alone handles fixture tools, so only here does the suite test the product's own tools. */
describe('the MCP conformance suite, on the plain server', () => {
  let subject: Subject
  beforeAll(async () => {
    subject = await startSubject()
  })
  afterAll(() => subject?.close())

  test('passes what protocol 2026-07-28 requires without fixtures', async () => {
    const { passed, out } = await subject.run('--requirements', '2026-07-28')
    expect(passed, out).toEqual([
      'tools-list',
      'server-sse-multiple-streams',
      'resources-list',
      'sep-2164-resource-not-found',
      'prompts-list',
      'dns-rebinding-protection',
      'caching',
      'input-required-result-missing-input-response',
      'input-required-result-unsupported-methods',
      'input-required-result-ignore-extra-params',
      'input-required-result-validate-input',
    ])
    // The four failures need tools that exist only as fixtures.
    expect(out).toContain('server-stateless: 24 passed, 4 failed')
  })

  test('passes what protocol 2025-11-25 requires without fixtures and sessions', async () => {
    const { passed, out } = await subject.run('--requirements', '2025-11-25')
    expect(passed, out).toEqual([
      'server-initialize',
      'ping',
      'tools-list',
      'server-sse-multiple-streams',
      'resources-list',
      'prompts-list',
      'dns-rebinding-protection',
    ])
  })

  test('passes the scenario about headers that must match the body', async () => {
    const { code, out } = await subject.run(...headerValidation)
    expect(code, out).toBe(0)
    expect(out).toContain('Passed: 14/14, 0 failed, 0 warnings')
  })
})
