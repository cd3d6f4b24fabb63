import type { z } from 'zod'
import { ConfigError } from '../../ground/config/config.ts'
import { inPlainWords, toValidationError } from '../../ground/errors/validation-error.ts'

/** What was typed, by the contract. Throws {@link ConfigError}. */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value, inPlainWords)
  if (!parsed.success) throw new ConfigError(toValidationError(parsed.error).message)
  return parsed.data
}
