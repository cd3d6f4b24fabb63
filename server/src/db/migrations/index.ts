import type { Dialect } from '../dialect.ts'
import { graph } from './001-graph.ts'
import { search } from './002-search.ts'
import { usage } from './003-usage.ts'
import { imports } from './004-imports.ts'
import { billing } from './005-billing.ts'
import { vectors } from './006-vectors.ts'
import { unclaimed } from './007-unclaimed.ts'
import { agents } from './008-agents.ts'
import { settling } from './009-settling.ts'
import { recall } from './010-recall.ts'

export type Migration = { name: string; statements: (dialect: Dialect) => readonly string[] }

/** In order; never edited once released, only added to. */
export const migrations: readonly Migration[] = [
  graph,
  search,
  usage,
  imports,
  billing,
  vectors,
  unclaimed,
  agents,
  settling,
  recall,
]
