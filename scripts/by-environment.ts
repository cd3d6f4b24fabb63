import { readFileSync } from 'node:fs'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Files with a document after all others: a worker ends where the next file in the queue needs another environment, and
 * the next one loads everything again. Being short, they also end together.
 */
export class ByEnvironment extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const [withDocument, without] = [sorted.filter(hasDocument), sorted.filter((file) => !hasDocument(file))]
    return [...without, ...withDocument]
  }
}

const hasDocument = ({ moduleId }: TestSpecification): boolean =>
  readFileSync(moduleId, 'utf8').startsWith('// @vitest-environment jsdom')
