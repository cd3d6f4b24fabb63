import { playStory } from './replay-story.ts'
import { signalSession } from './session.ts'

const schemeKey = 'mantine-color-scheme-value'
const copiedShownMs = 1_600

/** Everything on the public pages that needs a script. The pages work without it. */
export function bringToLife(page: Document): void {
  for (const button of page.querySelectorAll<HTMLElement>('[data-alert]')) {
    button.addEventListener('click', () => window.alert(button.dataset.alert))
  }
  for (const button of page.querySelectorAll<HTMLElement>('[data-copy]')) offerCopy(button)
  page.querySelector<HTMLAnchorElement>('a[data-contact]')?.addEventListener('click', contactSales)
  for (const button of page.querySelectorAll<HTMLElement>('[data-scheme]')) offerScheme(button)
  for (const story of page.querySelectorAll<HTMLElement>('[data-story]')) playStory(story)
  void signalSession(page.documentElement)
}

function offerCopy(button: HTMLElement): void {
  const text = button.closest('.snippet')?.querySelector('code')?.textContent ?? ''
  button.hidden = false
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text)
      button.textContent = 'Copied'
      setTimeout(() => {
        button.textContent = 'Copy'
      }, copiedShownMs)
    } catch (error) {
      console.warn('Failed to copy to the clipboard', error)
    }
  })
}

/** A server without a contact address has no sales team; its operator is the reader's contact. */
function contactSales(event: MouseEvent): void {
  const link = event.currentTarget as HTMLAnchorElement
  if (!link.href.startsWith('mailto:?')) return
  event.preventDefault()
  window.alert('For an Enterprise plan, please contact the operator of this server.')
}

/** The app reads the same key. */
function offerScheme(button: HTMLElement): void {
  const page = document.documentElement
  button.hidden = false
  button.addEventListener('click', () => {
    const scheme = page.dataset.mantineColorScheme === 'dark' ? 'light' : 'dark'
    page.dataset.mantineColorScheme = scheme
    localStorage.setItem(schemeKey, scheme)
  })
}
