import { lastStep } from '../landing-story.ts'

const stepMs = 1_500

/**
 * The picture is complete from the start. A button replays it line by line with the conversation; with
 * reduced motion there is no button.
 */
export function playStory(story: HTMLElement): void {
  if (!document.documentElement.hasAttribute('data-motion')) return
  const control = story.querySelector<HTMLElement>('[data-story-control]')
  const parts = [...story.querySelectorAll<HTMLElement | SVGElement>('[data-at]')]
  if (control === null) return
  let step = lastStep
  let timer: ReturnType<typeof setInterval> | undefined

  function show(next: number): void {
    step = next
    story.dataset.step = String(step)
    for (const part of parts) part.toggleAttribute('data-shown', Number(part.dataset.at) <= step)
    if (step >= lastStep) stop()
  }
  function stop(): void {
    clearInterval(timer)
    timer = undefined
    control!.textContent = step >= lastStep ? 'Watch it grow' : 'Play'
  }
  function play(): void {
    if (step >= lastStep) show(0)
    control!.textContent = 'Pause'
    timer = setInterval(() => show(step + 1), stepMs)
  }

  control.hidden = false
  control.addEventListener('click', () => (timer === undefined ? play() : stop()))
}
