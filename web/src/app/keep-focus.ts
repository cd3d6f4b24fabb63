/** What had the focus, and what stood before it. */
type Place = { element: Element; before: Element[]; path: string }

const focusable = 'a[href], button, input, select, textarea, summary, [tabindex]'
/** Time for dialogs and forms to place the focus themselves. */
const settleMs = 40

/**
 * Keeps the focus of people who use the keyboard near where it was when the element that had it goes away: the row that
 * was deleted, the form that was closed or saved, the dialog that a menu opened. Browsers drop it to the start of the page.
 * Returns a function that ends this.
 */
export function keepFocus(): () => void {
  const page = document.getElementById('root') ?? document.body
  const ending = new AbortController()
  const places = new WeakMap<Element, Place>()
  let held: Element | undefined
  let byKeyboard = false
  let isLeft = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const rootOf = (element: Element) =>
    element.closest('[aria-modal=true]') ?? (page.contains(element) ? page : undefined)

  function remember({ target }: Event): void {
    if (!(target instanceof Element)) return
    held = target
    isLeft = false
    const root = rootOf(target)
    if (!root) return
    const all = [...root.querySelectorAll(focusable)]
    places.set(root, { element: target, before: all.slice(0, all.indexOf(target)), path: location.pathname })
  }

  function restore(): void {
    timer = undefined
    if (!byKeyboard || !held || document.activeElement !== document.body) return
    if (canFocus(held)) {
      if (!isLeft) held.focus()
      return
    }
    if (held.isConnected) {
      // Disabled since all is saved, rather than while something loads.
      if (!isLeft && held.matches('[type=submit]:not([data-loading])')) lastFieldBeside(held)?.focus()
      return
    }
    const root = [...document.querySelectorAll('[aria-modal=true]')].at(-1) ?? page
    const place = places.get(root)
    if (place) focusNear(root, place)
  }

  const observer = new MutationObserver(() => {
    if (byKeyboard && document.activeElement === document.body) timer ??= setTimeout(restore, settleMs)
  })
  observer.observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['disabled', 'data-loading'],
  })
  const options = { capture: true, signal: ending.signal }
  document.addEventListener('focusin', remember, options)
  document.addEventListener(
    'focusout',
    ({ target, relatedTarget }) => {
      isLeft = relatedTarget === null && target instanceof Element && canFocus(target)
    },
    options,
  )
  document.addEventListener('keydown', () => (byKeyboard = true), options)
  document.addEventListener('pointerdown', () => (byKeyboard = false), options)
  return () => {
    ending.abort()
    observer.disconnect()
    clearTimeout(timer)
  }
}

function focusNear(root: Element, { element, before, path }: Place): void {
  if (canFocus(element)) element.focus()
  else if (element.isConnected) return
  else if (path === location.pathname) nextOf(root, before)?.focus()
  else document.getElementById('content')?.focus({ preventScroll: true })
}

/** What stands where something was: in the next row the element of the same kind, if a row is gone. */
function nextOf(root: Element, before: Element[]): HTMLElement | undefined {
  const all = [...root.querySelectorAll(focusable)]
  const kept = before.findLastIndex(({ isConnected }) => isConnected)
  const at = kept < 0 ? 0 : all.indexOf(before[kept]!) + before.length - kept
  return all.slice(at).find(isReached) ?? all.slice(0, at).findLast(isReached)
}

const lastFieldBeside = (button: Element) =>
  [...(button.closest('form')?.querySelectorAll(focusable) ?? [])].findLast(isReached)

const isReached = (element: Element): element is HTMLElement => canFocus(element) && element.tabIndex >= 0

function canFocus(element: Element): element is HTMLElement {
  return (
    element instanceof HTMLElement &&
    element.isConnected &&
    element.checkVisibility() &&
    !element.matches(':disabled') &&
    element.closest('[inert]') === null
  )
}
