import { plans } from '@loci/contract/plans'
import { annualSaving } from './prices.rules.ts'

/** Works without scripts: the style sheet shows the prices of the checked option. */
export function BillingToggle() {
  return (
    <fieldset className="toggle">
      <legend className="unseen">Billing</legend>
      <label>
        <input type="radio" name="billing" value="monthly" defaultChecked />
        Monthly
      </label>
      <label>
        <input type="radio" name="billing" value="annual" />
        Annual <span className="chip">Save {annualSaving(plans)}%</span>
      </label>
    </fieldset>
  )
}
