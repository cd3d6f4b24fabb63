import type { AsyncRouteComponent } from '@tanstack/react-router'
import { type ComponentType, createElement, use } from 'react'
import { loadStyled } from './missing-styles.ts'

/** A screen's code could not be loaded: there is no connection, or a newer server no longer has these files. */
export class MissingScreenError extends Error {
  override name = 'MissingScreenError'
  /** Loads the code again; throws if that fails. */
  readonly retry: () => Promise<void>

  constructor(cause: unknown, retry: () => Promise<void>) {
    super('The page could not be loaded', { cause })
    this.retry = retry
  }
}

/**
 * A screen whose code is loaded on first use. Unlike the router's own lazy routes it never reloads the
 * document, which would lose the app while offline; a failed load can be retried.
 */
export function lazyScreen<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
): AsyncRouteComponent<unknown> {
  let screen: ComponentType | undefined
  let failure: MissingScreenError | undefined
  let loading: Promise<void> | undefined

  async function fetchScreen(): Promise<void> {
    screen = (await loadStyled(load))[name]
    failure = undefined
  }
  function preload(): Promise<void> {
    // The screen reports a failure when it is shown; a link that preloads on hover does not.
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
