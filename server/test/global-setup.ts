import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'
import { createTemplate } from './postgres-databases.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    postgresUrl: string
    /** A migrated database without rows, to copy. */
    postgresTemplate: string
  }
}

/** One PostgreSQL server for the whole run; each test file creates its own databases on it. */
export default async function setUp(project: TestProject) {
  if (process.env.LOCI_TEST_DATABASE === 'sqlite') return undefined
  const postgres = await startPostgres()
  const template = await createTemplate(postgres.url)
  project.provide('postgresUrl', postgres.url)
  project.provide('postgresTemplate', template.name)
  return async () => {
    await template.drop()
    await postgres.stop()
  }
}
