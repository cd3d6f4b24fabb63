import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'
import { createTemplate } from './postgres-databases.ts'
import { createTemplateFile } from './sqlite-template.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** A migrated database file without rows, to copy. */
    sqliteTemplate: string
    postgresUrl: string
    /** A migrated database without rows, to copy. */
    postgresTemplate: string
  }
}

/** One PostgreSQL server for the whole run; each test file creates its own databases on it. */
export default async function setUp(project: TestProject) {
  const file = await createTemplateFile()
  project.provide('sqliteTemplate', file.path)
  if (process.env.LOCI_TEST_DATABASE === 'sqlite') return file.remove
  const postgres = await startPostgres()
  const template = await createTemplate(postgres.url)
  project.provide('postgresUrl', postgres.url)
  project.provide('postgresTemplate', template.name)
  return async () => {
    file.remove()
    await template.drop()
    await postgres.stop()
  }
}
