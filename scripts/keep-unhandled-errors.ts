import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** Keeps what fails a run without failing a test, which the report of tests does not hold, for its last lines. */
export class KeepUnhandledErrors implements Reporter {
  onTestRunEnd(_: readonly TestModule[], errors: readonly { message: string; stack?: string }[]): void {
    writeFileSync(
      '.cache/vitest-unhandled.json',
      JSON.stringify(errors.map(({ message, stack }) => stack ?? message)),
    )
  }
}
