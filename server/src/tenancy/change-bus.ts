import type { Change } from '@loci/contract/changes'
import type { Scope } from './scope.ts'

/** Receives changes in order, without gaps or duplicates. All listeners of a scope get the same array. */
export type ChangeListener = {
  /** The next page waits for this, for all listeners of the scope: be quick. */
  receive: (changes: readonly Change[]) => void | Promise<void>
  /** Awaited before each page while the listener catches up, which delays nobody else. */
  ready?: () => Promise<void>
}

/** Notifies listeners in this process of committed changes and ended credentials, from whichever process. */
export type ChangeBus = {
  /** Announces that this process committed changes of a scope. */
  announce: (scope: Scope) => void
  /** Number of the newest change: the starting point for a listener that only wants later ones. */
  currentSeq: (scope: Scope) => Promise<number>
  /**
   * Passes `listener` every change after `seq`, including future ones, until the returned function is
   * called.
   */
  subscribe: (scope: Scope, seq: number, listener: ChangeListener) => () => void
  /** Announces that this process committed the end of an account's credentials. */
  announceRevocation: (accountId: number) => void
  /**
   * Calls `listener` soon, and whenever credentials of the account end, until the returned function is
   * called.
   */
  onRevocation: (accountId: number, listener: () => void) => () => void
  /** Announces that this process committed news of a scope: its map, its recalls or its proposals changed. */
  announceNews: (scope: Scope) => void
  /** Calls `listener` soon, and whenever there may be news of the scope, until the returned function is called. */
  onNews: (scope: Scope, listener: () => void) => () => void
  /**
   * Calls `listener` with the account of each commit, in whichever process, until the returned function is called. A call
   * can be lost with the process that committed. Undefined if the database does not tell of other processes' commits.
   */
  onAnyCommit: (listener: (accountId: number) => void) => (() => void) | undefined
  close: () => Promise<void>
}
