import { trialDays } from '@loci/contract/billing'
import { isAnnualPlanId } from '@loci/contract/plans'
import { type Html, html } from '../../../ground/lib/html.ts'
import { nameOfPlan, priceOf } from '../billing.rules.ts'
import { toDollars } from '../format.ts'
import type { CheckoutView } from './checkout.ts'

/** The hosted checkout form; `error` says why the last attempt failed. */
export function checkoutForm(checkout: CheckoutView, error?: string): Html {
  const { plan, trial, cardOnFile, cancelUrl } = checkout
  const price = `${toDollars(priceOf(plan))} a ${isAnnualPlanId(plan) ? 'year' : 'month'}`
  return html`
<h1>Subscribe to ${nameOfPlan(plan)}</h1>
<p class="quiet">${trial ? `${trialDays} days free, then ${price}. No card needed to start.` : `${price}, due today.`}</p>
<p class="price">${trial ? '$0.00' : toDollars(priceOf(plan))}</p>
<p class="quiet">due today</p>
${error === undefined ? html`` : html`<p class="error" role="alert">${error}</p>`}
${trial ? withoutCard('Start free trial without a card') : html``}
${!trial && cardOnFile !== undefined ? withoutCard(`Pay with ${cardOnFile}`) : html``}
<form method="post" autocomplete="off">
${cardFields()}
<button name="action" value="card" class="${trial || cardOnFile !== undefined ? 'plain' : ''}">${trial ? 'Start free trial with this card' : 'Subscribe'}</button>
</form>
<p class="foot"><a href="${cancelUrl}">Cancel and go back</a></p>`
}

/** The card fields, with test numbers. */
export const cardFields = () => html`<label for="number">Card number</label>
<input id="number" name="number" inputmode="numeric" placeholder="4242 4242 4242 4242" maxlength="32" required>
<div class="pair">
<div><label for="expiry">Expires (MM/YY)</label>
<input id="expiry" name="expiry" placeholder="12/34" maxlength="7" required></div>
<div><label for="cvc">Security code</label>
<input id="cvc" name="cvc" inputmode="numeric" placeholder="123" maxlength="4" required></div>
</div>
<p class="quiet">Never enter a real card here. Use a test card:</p>
<dl class="numbers">
<dt>4242 4242 4242 4242</dt><dd>succeeds</dd>
<dt>4000 0000 0000 0002</dt><dd>is declined</dd>
<dt>4000 0000 0000 0259</dt><dd>succeeds, and is disputed</dd>
<dt>4000 0025 0000 3155</dt><dd>requires authentication</dd>
<dt>4000 0027 6000 3184</dt><dd>requires authentication for every payment</dd>
</dl>`

const withoutCard = (label: string) => html`<form method="post">
<button name="action" value="on_file">${label}</button>
</form>
<div class="or">or with a card</div>`

/** The bank's question. */
export function challengeForm(sealedCard: string): Html {
  return html`
<h1>Your bank asks: is it you?</h1>
<p class="quiet">A real bank would ask for a code or a fingerprint here.</p>
<form method="post">
<input type="hidden" name="sealedCard" value="${sealedCard}">
<button name="action" value="challenge_completed">Complete authentication</button>
<button name="action" value="challenge_failed" class="plain">Fail authentication</button>
</form>`
}

/** Shown to a visitor who returns to a completed checkout. */
export function completedCheckout(checkout: CheckoutView): Html {
  return html`
<h1>All done</h1>
<p class="quiet">You are subscribed to ${nameOfPlan(checkout.plan)}.</p>
<p><a href="${checkout.successUrl}">Continue</a></p>`
}
