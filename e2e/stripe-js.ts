/**
 * Replaces Stripe.js, as far as a card form needs it. Like the real one it puts its fields into a frame of
 * its own and talks to api.stripe.com, so the page's Content-Security-Policy must allow that.
 */
export const stripeJs = `
window.Stripe = (publishableKey) => {
  let number = ''
  const newElement = (type) => {
    const listeners = {}
    const element = {
      mount(place) {
        const frame = document.createElement('iframe')
        frame.title = 'Secure payment input frame'
        frame.src = 'https://js.stripe.com/v3/elements-inner-payment.html'
        frame.style.cssText = 'width: 100%; height: 60px; border: 0'
        frame.onload = () => listeners.ready?.()
        window.addEventListener('message', ({ origin, data }) => {
          if (origin === 'https://js.stripe.com') number = data.number
        })
        place.append(frame)
      },
      on: (event, listener) => { listeners[event] = listener; return element },
      once: (event, listener) => element.on(event, listener),
      off: () => element, update() {}, unmount() {}, destroy() {},
    }
    return element
  }
  return {
    elements: ({ clientSecret }) => ({ clientSecret, create: newElement, getElement: () => null, update() {}, on() {}, off() {} }),
    async confirmSetup({ elements: { clientSecret }, redirect, confirmParams }) {
      const body = new URLSearchParams({ key: publishableKey, client_secret: clientSecret, number, redirect, ...confirmParams })
      const answer = await fetch('https://api.stripe.com/v1/setup_intents/seti_1/confirm', { method: 'POST', body })
      const { error, ...setupIntent } = await answer.json()
      return error ? { error } : { setupIntent }
    },
    createToken() {}, createPaymentMethod() {}, confirmCardPayment() {}, registerAppInfo() {}, _registerWrapper() {},
  }
}`

/** The contents of the frame. */
export const stripeFrame = `<!doctype html><title>Payment</title><label>Card number <input></label>
<script>
document.querySelector('input').oninput = ({ target }) => parent.postMessage({ number: target.value }, '*')
</script>`
