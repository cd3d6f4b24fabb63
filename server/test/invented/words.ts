/**
 * Names taken from no data set. Surnames, places, companies and projects differ enough to tell a typo from
 * another name.
 */
export const firstNames = list(`
  Ada Bruno Carla Dimitri Elif Farid Greta Hugo Imani Jonas Keiko Lorenzo Marta Nadia Oscar Priya Quirin Rosa Stefan
  Talia Umar Vera Wanda Xavier Yusuf Zora Anton Beatriz Cyril Dalia Emeka Freya Gideon Hanna Ivo`)

export const surnames = list(`
  Marlow Okonjo Bergström Castellan Dvorsky Eastwick Fujimori Galbraith Haddadin Ibarra Jellicoe Kowalczyk Lindqvist
  Mbeki Núñez Oyelaran Petrakis Quigley Rasmussen Sandoval Thackeray Ugarte Vandermeer Whitlock Yamazaki Zielinski
  Abernathy Blomqvist Chaudhary Delacroix Erdogmus Fitzwilliam Goncharov Hollingsworth Ingram Jaramillo Kettleburn
  Lachance Montague Nakagawa Ostrander Pemberton Quesada Rutherford Steinmetz Tremblay Underhill Villanueva Wexford
  Yilmaz Zimmerman Aldington Brzezinski Cavendish Drummond Engström Ferreira Grimaldi Huxtable Iversen Jorgensen
  Kavanagh Lombardi McAllister Nightingale`)

/** Each shared by several people. */
export const sharedSurnames = ['Adler', 'Adler', 'Adler', 'Novak', 'Novak']

export const places = lines(`
  Velmora
  Tarnwick
  Osterhaven
  Quillport
  Brannoch
  Isenfeld
  Lowmere
  Duskwater Bay
  Sankt Alban
  Harrowgate
  Norrvik
  Calder Falls
  Mirefield
  Palo Seco
  Eastholm
  Ravensby
  Kirkdale
  Wintersee
  Altavista
  Fort Umber`)

export const companies = lines(`
  Halvorsen Glass
  Brightkettle
  Pinecone Analytics
  Orbis Freight
  Tallow and Reed
  Lumenvale
  Cobaltworks
  Fennimore Shipping
  Greywater Labs
  Hexagon Dairy
  Ironbark Energy
  Juniper Robotics
  Kestrel Air
  Larkspur Media
  Meridian Seeds
  Nettle Insurance
  Opaline Optics
  Quarry Bank
  Saltmarsh Foods
  Thistle Games`)

export const projects = lines(`
  Zephyr Project
  Project Bluebell
  Lantern Migration
  Orchid Rewrite
  Pelican Rollout
  Marigold
  Project Driftwood
  Sandpiper Project
  Copperfield Audit
  Juggernaut
  Project Windmill
  Tamarisk Pilot
  Hedgehog Relaunch
  Moonraker Project
  Project Firefly
  Gondola
  Butterscotch Trial
  Cathedral Project
  Nightjar
  Project Sextant
  Avalanche Drill
  Velvet Upgrade
  Mistral Project
  Quicksilver
  Project Yarrow`)

export const serviceParts = {
  subjects: list('ledger checkout invoice thumbnail mailer token quota geo payout webhook'),
  roles: list('sync worker gateway'),
}

/** A choice and its purpose. */
export const decisions: readonly (readonly [choice: string, topic: string])[] = [
  ['use PostgreSQL', 'sessions'],
  ['keep the monolith', 'billing'],
  ['buy a licence', 'maps'],
  ['drop Internet Explorer', 'the portal'],
  ['move to trunk-based development', 'branching'],
  ['hire a contractor', 'translations'],
  ['store prices in cents', 'currency'],
  ['rotate keys monthly', 'credentials'],
  ['adopt feature flags', 'releases'],
  ['freeze the schema', 'the warehouse'],
  ['charge per seat', 'pricing'],
  ['answer within a day', 'support'],
  ['retire the fax line', 'suppliers'],
  ['open the office on Fridays', 'attendance'],
  ['write in British English', 'documentation'],
  ['record the stand-up', 'time zones'],
  ['pay for parking', 'commuters'],
  ['split the newsletter', 'subscribers'],
  ['cap uploads', 'attachments'],
  ['sample one trace in ten', 'telemetry'],
]

/** Names that nobody in the memory has. */
export const unknownNames = lines(`
  Quentin Zarkov
  Ludmila Prowse
  Thaddeus Okparanta
  Rowena Blythe
  Mirko Stanislav
  Ottoline Vasquez
  Ada Worthington
  Hugo Bellweather
  Project Nautilus
  Dunmore Chemicals`)

function list(text: string): string[] {
  return text.trim().split(/\s+/)
}

function lines(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim())
}
