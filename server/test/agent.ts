import type { Client } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import { fieldsIn } from './fields-in.ts'

/** A result in its two forms; a client shows its model one of them. */
export type Shown = {
  isError: boolean
  /** All text blocks. */
  text: string
  /** The result in fields; errors have none, and every client shows their text. */
  structured: Record<string, unknown>
  /** All strings in the structured result. */
  strings: string
}

/** Calls a tool as a model does. */
export async function ask(client: Client, name: string, args: object = {}): Promise<Shown> {
  const answer = await client.callTool({ name, arguments: { ...args } })
  const content = answer.content as { text?: string }[]
  const structured = (fieldsIn(answer) ?? {}) as Record<string, unknown>
  return {
    isError: answer.isError === true,
    text: content.map((block) => block.text ?? '').join('\n'),
    structured,
    strings: stringsIn(answer.structuredContent ?? {}).join('\n'),
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}

/** Expects that a model sees these parts, whichever form its client shows. */
export function expectShown(answer: Shown, ...parts: (string | RegExp)[]): void {
  for (const form of formsOf(answer)) {
    for (const part of parts) expect(form).toMatch(part)
  }
}

/** Expects that a model sees these parts in neither form. */
export function expectNotShown(answer: Shown, ...parts: (string | RegExp)[]): void {
  for (const form of formsOf(answer)) {
    for (const part of parts) expect(form).not.toMatch(part)
  }
}

const formsOf = ({ isError, text, strings }: Shown) => (isError ? [text] : [text, strings])
