import { notifications, notificationsStore } from '@mantine/notifications'

type Offer = {
  undo: () => void
  /** The sets that it undoes; none if it undoes something that history does not record. */
  sets: readonly string[]
  toastId: string
}

/** This tab's changes that can be undone, oldest first. */
let offers: readonly Offer[] = []

export function addOffer(offer: Offer): void {
  offers = [...offers, offer]
}

/** Undoes this tab's last change; returns false if there is none. */
export function undoLast(): boolean {
  const last = offers.at(-1)
  if (last !== undefined) takeOffer(last)
  return last !== undefined
}

/** Carries out an offer, which can be done once. */
export function takeOffer(offer: Offer): void {
  if (!offers.includes(offer)) return
  drop([offer])
  offer.undo()
}

/** The offers whose toast is on the screen. */
export function standingOffers(): Offer[] {
  const toasts = notificationsStore.getState().notifications
  return offers.filter(({ toastId }) => toasts.some(({ id }) => id === toastId))
}

/** Drops the offers for sets that were undone elsewhere on the page. */
export function dropOffersFor(undone: readonly string[]): void {
  drop(offers.filter(({ sets }) => sets.some((setId) => undone.includes(setId))))
}

/** Drops all offers: sets of another memory can have the same ids. */
export function clearOffers(): void {
  drop(offers)
}

function drop(gone: readonly Offer[]): void {
  offers = offers.filter((offer) => !gone.includes(offer))
  for (const { toastId } of gone) notifications.hide(toastId)
}
