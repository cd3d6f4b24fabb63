/**
 * A possible fact about an entity. `says` never names it; `asks` share a distinctive word with it,
 * `asksOtherwise` do not. `_` is the value in `says`, and the entity's name in questions.
 */
export type FactKind = { says: string; values: readonly string[]; asks: string[]; asksOtherwise: string[] }

const ofPeople: FactKind[] = [
  {
    says: 'Prefers _ for lunch',
    values: ['ramen', 'lentil soup', 'grilled cheese', 'a salad', 'dumplings'],
    asks: ['What does _ prefer for lunch?', 'What does _ have for lunch?'],
    asksOtherwise: ['Which meal makes _ happy?'],
  },
  {
    says: 'Allergic to _',
    values: ['peanuts', 'shellfish', 'penicillin', 'cats', 'birch pollen'],
    asks: ['Is _ allergic to anything?', 'What is _ allergic to?'],
    asksOtherwise: ['Which foods must _ avoid?'],
  },
  {
    says: 'Speaks fluent _',
    values: ['Portuguese', 'Japanese', 'Turkish', 'Finnish'],
    asks: ['Which languages does _ speak?'],
    asksOtherwise: ['What is the mother tongue of _?'],
  },
  {
    says: 'Has a parrot called _',
    values: ['Biscuit', 'Captain', 'Mango', 'Socrates'],
    asks: ["What is _'s parrot called?"],
    asksOtherwise: ['Does _ keep any pets?'],
  },
  {
    says: 'Plays the _ at weekends',
    values: ['cello', 'trumpet', 'accordion', 'drums'],
    asks: ['What instrument does _ play?', 'What does _ do at weekends?'],
    asksOtherwise: ['What are the hobbies of _?'],
  },
  {
    says: 'Graduated in _',
    values: ['2009', '2011', '2014', '2019'],
    asks: ['When did _ graduate?'],
    asksOtherwise: ['Where did _ go to university?'],
  },
  {
    says: 'Prefers _ meetings',
    values: ['morning', 'short', 'walking', 'afternoon'],
    asks: ['What kind of meetings does _ prefer?'],
    asksOtherwise: ['When should I schedule a call with _?'],
  },
  {
    says: 'Drinks _ with oat milk',
    values: ['flat white', 'black tea', 'cocoa', 'espresso'],
    asks: ['What does _ drink?'],
    asksOtherwise: ['How does _ take coffee?'],
  },
  {
    says: 'Commutes by _',
    values: ['tram', 'bicycle', 'ferry', 'motorbike'],
    asks: ['How does _ commute?'],
    asksOtherwise: ['How does _ get to the office?'],
  },
  {
    says: 'Birthday is on _',
    values: ['3 April', '19 August', '27 November', '8 January'],
    asks: ["When is _'s birthday?"],
    asksOtherwise: ['How old is _?'],
  },
  {
    says: 'Writes code in _',
    values: ['Helix', 'Emacs', 'Vim', 'Zed'],
    asks: ['What does _ write code in?'],
    asksOtherwise: ['Which editor is installed for _?'],
  },
  {
    says: 'Wears size _ shoes',
    values: ['38', '41', '43', '46'],
    asks: ['Which size of shoes does _ wear?'],
    asksOtherwise: ['Which boots should we order for _?'],
  },
]

const ofProjects: FactKind[] = [
  {
    says: 'Starts in _',
    values: ['March 2027', 'January 2027', 'the autumn', 'week 9'],
    asks: ['When does _ start?'],
    asksOtherwise: ['What is the kickoff of _?'],
  },
  {
    says: 'Budget is _ euros',
    values: ['40k', '125k', '9,500', '2.5 million'],
    asks: ['What is the budget of _?'],
    asksOtherwise: ['How expensive is _?'],
  },
  {
    says: 'Blocked by _',
    values: ['the legal review', 'a missing licence', 'the hiring freeze'],
    asks: ['What is _ blocked by?', 'Is _ blocked?'],
    asksOtherwise: ['Why is there no progress with _?'],
  },
  {
    says: 'Scope was cut _',
    values: ['twice', 'in half', 'by a third'],
    asks: ['How far was the scope of _ cut?'],
    asksOtherwise: ['Is _ smaller than planned?'],
  },
]

const ofServices: FactKind[] = [
  {
    says: 'Runs on _ replicas',
    values: ['three', 'five', 'twelve'],
    asks: ['How many replicas does _ run on?'],
    asksOtherwise: ['How is _ scaled?'],
  },
  {
    says: 'Deploys every _',
    values: ['Tuesday', 'Thursday', 'other Monday'],
    asks: ['When does _ deploy?'],
    asksOtherwise: ['What is the release rhythm of _?'],
  },
  {
    says: 'Latency budget is _ ms',
    values: ['80', '120', '250'],
    asks: ['What is the latency budget of _?'],
    asksOtherwise: ['How fast must _ be?'],
  },
  {
    says: 'Logs are kept for _ days',
    values: ['seven', 'thirty', 'ninety'],
    asks: ['How long are logs kept for _?'],
    asksOtherwise: ['What is the retention of _?'],
  },
]

const ofCompanies: FactKind[] = [
  {
    says: 'Sells _',
    values: ['scientific instruments', 'oat biscuits', 'lease contracts', 'board meters'],
    asks: ['What does _ sell?'],
    asksOtherwise: ['What are the products of _?'],
  },
  {
    says: 'Employs about _ staff',
    values: ['140', '35', '2,000'],
    asks: ['How many staff does _ employ?'],
    asksOtherwise: ['How big is _?'],
  },
  {
    says: 'Pays invoices after _ days',
    values: ['14', '30', '60'],
    asks: ['When does _ pay invoices?'],
    asksOtherwise: ['What are the terms with _?'],
  },
]

const ofPlaces: FactKind[] = [
  {
    says: 'The last bus leaves at _',
    values: ['21:40', '22:15', '23:05'],
    asks: ['When does the last bus leave _?'],
    asksOtherwise: ['How do I get home from _ late?'],
  },
  {
    says: 'Good _ near the station',
    values: ['bakery', 'bookshop', 'climbing hall'],
    asks: ['What is good near the station in _?'],
    asksOtherwise: ['What should I visit in _?'],
  },
]

const ofDecisions: FactKind[] = [
  {
    says: 'Approved after _ reviews',
    values: ['two', 'four', 'three'],
    asks: ['How many reviews did "_" have?'],
    asksOtherwise: [],
  },
  {
    says: 'To be revisited in _',
    values: ['spring', 'two years', 'the next quarter'],
    asks: ['When is "_" to be revisited?'],
    asksOtherwise: [],
  },
]

const ofIncidents: FactKind[] = [
  {
    says: 'Root cause was _',
    values: ['an expired certificate', 'a full disk', 'a wrong default', 'a lost message'],
    asks: ['What was the root cause of _?', 'What caused _?'],
    asksOtherwise: ['Why did _ happen?'],
  },
  {
    says: 'Lasted _ minutes',
    values: ['12', '40', '95', '180'],
    asks: ['How long did _ last?', 'How many minutes did _ last?'],
    asksOtherwise: ['When was _ over?'],
  },
  {
    says: 'Follow-up: _',
    values: ['add an alert', 'write a runbook', 'rehearse the restore'],
    asks: ['What is the follow-up of _?'],
    asksOtherwise: ['What did we learn from _?'],
  },
]

export const factKinds = {
  person: ofPeople,
  project: ofProjects,
  service: ofServices,
  company: ofCompanies,
  place: ofPlaces,
  decision: ofDecisions,
  incident: ofIncidents,
}
export type InventedType = keyof typeof factKinds

/** Recent news of projects, services and incidents. */
export const news = [
  'Postponed by a week after the steering round',
  'Signed off by the lawyers',
  'Handed over to the night shift',
  'Rolled back after complaints',
  'Demo went well, the customer wants more',
  'Two volunteers joined',
  'The vendor answered at last',
  'Tests are green again',
  'Moved to the new rack',
  'Costs were halved',
  'Pager went off three times',
  'The draft was sent round',
  'First users were let in',
  'Numbers were presented to the board',
]
