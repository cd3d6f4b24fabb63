import { contactEmail } from './public-url.ts'

export function Enterprise() {
  return (
    <section className="enterprise" aria-labelledby="enterprise-title">
      <div>
        <h2 id="enterprise-title">Enterprise</h2>
        <p>
          Limits, hosting and terms that fit your organisation. Tell us what your agents have to remember.
        </p>
      </div>
      <div className="actions">
        <a
          className="button"
          data-contact
          href={`mailto:${contactEmail}?subject=${encodeURIComponent('Loci Enterprise')}`}
        >
          Contact Sales
        </a>
        <button type="button" className="button button-quiet">
          Schedule Demo
        </button>
      </div>
    </section>
  )
}
