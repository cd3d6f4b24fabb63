import type { AsyncRouteComponent } from '@tanstack/react-router'
import { type ComponentType, createElement, use } from 'react'
import { loadMissingStyles } from './missing-styles.ts'

/** A screen's code could not be had: no connection, or the server has a newer version without these files. */
export class MissingScreenError extends Error {
  override name = 'MissingScreenError'
  /** Asks for the code again; throws while it cannot be had. */
  readonly retry: () => Promise<void>

  constructor(cause: unknown, retry: () => Promise<void>) {
    super('The page could not be loaded', { cause })
    this.retry = retry
  }
}

/**
 * A screen whose code is fetched when it is first wanted. Unlike the router's own it never reloads the document, which
 * loses the app while there is no connection; what could not be had is asked for again.
 */
export function lazyScreen<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): AsyncRouteComponent<unknown> {
  let screen: ComponentType | undefined
  let failure: MissingScreenError | undefined
  let loading: Promise<void> | undefined

  async function fetchScreen(): Promise<void> {
    await loadMissingStyles()
    screen = (await load())[name]
    failure = undefined
  }
  function preload(): Promise<void> {
    // A failure is told by the screen that is shown, not by the link that a pointer passes.
    loading ??= fetchScreen()
      .catch((error: unknown) => {
        failure = new MissingScreenError(error, fetchScreen)
      })
      .finally(() => {
        loading = undefined
      })
    return loading
  }
  function LazyScreen() {
    if (!screen && failure) throw failure
    if (!screen) use(preload())
    return screen ? createElement(screen) : null
  }
  LazyScreen.preload = preload
  return LazyScreen
}
