import { GetStarted } from './get-started.tsx'

export function Closing() {
  return (
    <section className="closing" aria-labelledby="closing-title">
      <h2 id="closing-title">Give your agents somewhere to put things.</h2>
      <div className="actions">
        <GetStarted className="button button-contrast" />
        <button
          type="button"
          className="button button-contrast-quiet"
          data-alert="Documentation is coming soon!"
        >
          View Documentation
        </button>
      </div>
      <svg className="closing-plan" viewBox="0 0 520 320" aria-hidden fill="none">
        <path d="M1 1h518v318H1zM1 140h85M136 140h124M260 1v184M260 235v84M260 160h55M365 160h154M390 1v64M390 115v45" />
        <path className="lit-stroke" d="M111 60v150h229V90h110" />
        <circle cx="111" cy="60" r="9" className="closing-dot" />
        <circle cx="111" cy="210" r="9" className="closing-dot" />
        <circle cx="340" cy="210" r="9" className="closing-dot" />
        <circle cx="450" cy="90" r="13" className="lit-fill" />
      </svg>
    </section>
  )
}
