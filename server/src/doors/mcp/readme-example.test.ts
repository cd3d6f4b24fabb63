import type { Client } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fieldsIn } from '../../../test/fields-in.ts'
import { describeOnBothDatabases } from '../../../test/harness.ts'
import { describeAnswer, readAnswer } from '../../../test/invented/answers.ts'
import { connectOverHttp } from '../../../test/mcp-clients.ts'
import { readmeExample, readmeQuestions } from '../../../test/readme-example.ts'

describeOnBothDatabases('the README example of the reference server', (server) => {
  let agent: Client
  beforeAll(async () => {
    const alice = await server().signUp()
    agent = await connectOverHttp(server(), alice.apiKey, 'auto')
    const { entities, relations } = readmeExample
    await agent.callTool({ name: 'create_entities', arguments: { entities } })
    await agent.callTool({ name: 'create_relations', arguments: { relations } })
  })
  afterAll(() => agent.close())

  test.each(readmeQuestions)('answers "$text" correctly in both forms', async ({ text: query, isRight }) => {
    const result = await agent.callTool({ name: 'recall', arguments: { query } })
    const answer = readAnswer(fieldsIn(result))
    expect(isRight(answer), describeAnswer(answer)).toBe(true)
    const text = (result.content as { text: string }[]).map((item) => item.text).join('\n')
    for (const fact of answer.facts) expect(text).toContain(fact.content)
    for (const { from, type, to } of answer.relations)
      for (const part of [from, type, to]) expect(text).toContain(part)
  })
})
