import type { ComponentType } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { lazyScreen, MissingScreenError } from './lazy-screen.tsx'

const Screen = () => <h1>Here</h1>
type Module = { Screen: ComponentType }

function build(...answers: (Module | Error)[]) {
  const load = vi.fn(async () => {
    const answer = answers.shift()
    if (answer === undefined || answer instanceof Error) throw answer ?? new Error('Asked once too often')
    return answer
  })
  return { load, Lazy: lazyScreen(load, 'Screen') }
}

test('a preloaded screen is there at once', async () => {
  const { Lazy, load } = build({ Screen })
  await Lazy.preload?.()
  expect(renderToStaticMarkup(<Lazy />)).toBe('<h1>Here</h1>')
  expect(load).toHaveBeenCalledOnce()
})

test('two concurrent requests load once', async () => {
  const { Lazy, load } = build({ Screen })
  await Promise.all([Lazy.preload?.(), Lazy.preload?.()])
  expect(load).toHaveBeenCalledOnce()
})

test('a failure is thrown where the screen is shown, and a retry loads it', async () => {
  const { Lazy } = build(new Error('Failed to fetch'), new Error('Failed to fetch'), { Screen })
  await Lazy.preload?.()
  const failure = thrownBy(() => renderToStaticMarkup(<Lazy />))
  expect(failure).toBeInstanceOf(MissingScreenError)
  await expect((failure as MissingScreenError).retry()).rejects.toThrow('Failed to fetch')
  await (failure as MissingScreenError).retry()
  expect(renderToStaticMarkup(<Lazy />)).toBe('<h1>Here</h1>')
})

function thrownBy(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}
