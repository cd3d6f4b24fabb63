/**
 * Which standing rules recall would tell with a question: of 20 rules that a user could leave with an agent, for 38
 * questions whose answer has to follow one of them and 40 that need none (written with the rules in sight, before the
 * thresholds were chosen), and of BEAM's chats. In-process.
 * Usage: BENCH_DATA=... node bench/rules.ts
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { rulesToldMax } from '../server/src/features/memories/recall-rules.ts'
import { findStandingRule } from '../server/src/search/analyse/standing-rules.ts'
import { fittingRules } from '../server/src/search/find/find-standing-rules.ts'
import { findSetFile } from './recall-sets.ts'

type Rule = { id: string; content: string }
/** A question with all rules that it is compared with, and the ids of those that its answer has to follow. */
type Asked = { text: string; rules: Rule[]; fitting: Set<string> }

const beam = findSetFile('beam')
console.table({ own: measure(readOwn()), ...(beam === undefined ? {} : { BEAM: measure(readBeam(beam)) }) })

function measure(questions: readonly Asked[]) {
  const answers = questions.map(({ text, rules, fitting }) => {
    const { rules: found, isSure } = fittingRules(rules, text, { wordVectors: true })
    const told = found.slice(0, rulesToldMax)
    return {
      needsOne: fitting.size > 0,
      told: told.length,
      isSure,
      isRight: told.some(({ id }) => fitting.has(id)),
    }
  })
  const needing = answers.filter(({ needsOne }) => needsOne)
  const others = answers.filter(({ needsOne }) => !needsOne)
  return {
    'need a rule': needing.length,
    'are told it': needing.filter(({ isRight }) => isRight).length,
    'told first': needing.filter(({ isRight, isSure }) => isRight && isSure).length,
    'need none': others.length,
    'told one first': others.filter(({ isSure }) => isSure).length,
    'told one last': others.filter(({ told, isSure }) => told > 0 && !isSure).length,
    'rules told': answers.reduce((sum, { told }) => sum + told, 0),
  }
}

function readOwn(): Asked[] {
  const lines = readFileSync(join(import.meta.dirname, 'sets/rules.txt'), 'utf8').split('\n')
  const rules = lines.flatMap((line) => {
    const [, id, content] = /^(\d+)\. (.+)/.exec(line) ?? []
    return id === undefined || content === undefined ? [] : [{ id, content }]
  })
  return lines.flatMap((line) => {
    const [, text, ids] = /^(.+) =>(.*)/.exec(line) ?? []
    return text === undefined ? [] : [{ text, rules, fitting: new Set(ids?.match(/\d+/g)) }]
  })
}

function readBeam(file: string): Asked[] {
  const { conversations } = JSON.parse(gunzipSync(readFileSync(file)).toString()) as {
    conversations: {
      sessions: { turns: { id: string; s: string; t: string }[] }[]
      qa: { q: string; cat: string; ev: string[] }[]
    }[]
  }
  return conversations.flatMap(({ sessions, qa }) => {
    const rules = sessions
      .flatMap(({ turns }) => turns)
      .filter(({ s, t }) => s === 'user' && findStandingRule(t) !== undefined)
      .map(({ id, t }) => ({ id, content: t }))
    const ids = new Set(rules.map(({ id }) => id))
    return qa.flatMap(({ q, cat, ev }) => {
      const asksForRule = /instruction|preference/.test(cat)
      const fitting = new Set(asksForRule ? ev.map(String).filter((id) => ids.has(id)) : [])
      return asksForRule && fitting.size === 0 ? [] : [{ text: q, rules, fitting }]
    })
  })
}
