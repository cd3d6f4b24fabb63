import { createHash } from 'node:crypto'
import type { Server } from '@modelcontextprotocol/server'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { memorySkill, skillDescription, skillName } from '../../features/agents/agent-texts.ts'

/** The extension of the protocol by which servers give skills (SEP-2640). */
export const skillsExtension = 'io.modelcontextprotocol/skills'

const uri = `skill://${skillName}/SKILL.md`
const bytes = Buffer.from(memorySkill)
const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** The one skill that we have: when to recall and to save, as `loci connect` writes it for agents. */
const skill = {
  uri,
  frontmatter: { name: skillName, description: skillDescription },
  resources: [{ uri, digest, size: bytes.length }],
}

const List = z.looseObject({})
const Get = z.looseObject({ uri: z.string() })

/** `hints`: how long clients may keep the answers, where the protocol asks for it. */
export function handleSkills(server: Server, hints: object): void {
  server.setRequestHandler('skills/list', { params: List }, () => ({ skills: [skill], ...hints }))
  server.setRequestHandler('skills/get', { params: Get }, (asked) => {
    if (asked.uri !== uri)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Skill ${asked.uri} not found`)
    return { skill, ...hints }
  })
}

/** The text of the skill, if the address is its own. */
export const readSkill = (address: string) =>
  address === uri ? { uri, mimeType: 'text/markdown', text: memorySkill } : undefined
