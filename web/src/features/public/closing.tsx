export function Closing() {
  return (
    <section className="closing" aria-labelledby="closing-title">
      <h2 id="closing-title">Give your agents somewhere to put things.</h2>
      <div className="actions">
        <a className="button button-contrast" href="/pricing">
          Get Started Free
        </a>
        <button
          type="button"
          className="button button-contrast-quiet"
          data-alert="Documentation is coming soon!"
        >
          View Documentation
        </button>
      </div>
      <svg className="closing-plan" viewBox="0 0 520 320" aria-hidden fill="none">
        <path d="M1 1h518v318H1zM1 140h90M131 140h129M260 1v50M260 91v49M260 200h60M360 200h159M260 140v20M260 196v123M390 1v120M390 161v39M260 140" />
        <path className="lit-stroke" d="M111 60v150h150M261 210h79V90h110" />
        <circle cx="111" cy="60" r="9" className="closing-dot" />
        <circle cx="111" cy="210" r="9" className="closing-dot" />
        <circle cx="340" cy="210" r="9" className="closing-dot" />
        <circle cx="450" cy="90" r="13" className="lit-fill" />
      </svg>
    </section>
  )
}
