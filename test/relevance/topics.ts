/** The topic of generated documents: a name, synonyms, and sentences that only this topic has. */
export interface Topic {
  name: string;
  asked: string;
  sentences: readonly [string, ...string[]];
}

const topic = (name: string, asked: string, ...sentences: [string, ...string[]]): Topic => ({ name, asked, sentences });

export const TOPICS: readonly [Topic, ...Topic[]] = [
  topic(
    'Descaling the espresso machine',
    'how often do we descale the espresso machine',
    'Fill the tank with citric acid and let the boiler soak.',
    'Limescale in the group head makes coffee bitter.',
  ),
  topic(
    'Database backups',
    'when are backups of the database taken',
    'A base backup and the write-ahead log go to cold storage.',
    'Restoring is rehearsed every quarter by the storage team.',
  ),
  topic(
    'Visitor badges',
    'where do visitors get a badge',
    'Guests sign the register and receive a lanyard.',
    'Lost badges are blocked by reception within the hour.',
  ),
  topic(
    'Travel expenses',
    'who approves travel expense claims',
    'Attach receipts for trains, hotels and meals.',
    'Reimbursement arrives with the next payroll.',
  ),
  topic(
    'Firewall rules',
    'request to open a firewall port',
    'Inbound ports are closed unless a ticket names the source range.',
    'Rules without an owner are dropped at the review.',
  ),
  topic(
    'Parental leave',
    'how long is parental leave',
    'Tell people operations before the third trimester.',
    'Part-time return is possible for a year.',
  ),
  topic(
    'Laptop replacement',
    'when is my laptop replaced',
    'Old notebooks are wiped and donated to schools.',
    'Batteries below eighty percent qualify early.',
  ),
  topic(
    'Fire drill',
    'what to do in a fire drill',
    'Leave by the stairwell and gather at the assembly point.',
    'Wardens in yellow vests count heads.',
  ),
  topic(
    'Meeting room booking',
    'book a room for meetings',
    'Rooms not entered within ten minutes are released.',
    'Hybrid calls need the rooms with two screens.',
  ),
  topic(
    'Certificate renewal',
    'renew TLS certificates',
    'Certificates are issued for ninety days by the internal authority.',
    'An expired chain shows up as a handshake failure.',
  ),
  topic(
    'On-call rotation',
    'who is on call tonight',
    'The pager moves on every Wednesday at noon.',
    'Escalate to the secondary after fifteen minutes.',
  ),
  topic(
    'Canteen menu',
    'vegetarian lunch in the canteen',
    'Thursday is soup day, and vegans ask at the counter.',
    'Pay with the staff card, not with cash.',
  ),
  topic(
    'Bicycle parking',
    'where can I park my bicycle',
    'Racks under the ramp have chargers for e-bikes.',
    'Abandoned frames are removed each spring.',
  ),
  topic(
    'Log retention',
    'how long are logs kept',
    'Access logs are shortened to a prefix after a week.',
    'Audit trails stay immutable for ten years.',
  ),
  topic(
    'Payroll calendar',
    'when is salary paid',
    'Wages leave the bank on the second last working day.',
    'Bonuses are settled in March.',
  ),
  topic(
    'Greenhouse irrigation',
    'watering schedule of the greenhouse',
    'Drip lines run before sunrise to save water.',
    'Tomatoes want less moisture once they ripen.',
  ),
  topic(
    'Forklift training',
    'who may drive a forklift',
    'A licence is valid after two days with the instructor.',
    'Loads above the mast limit tip the truck.',
  ),
  topic(
    'Customer refunds',
    'refund a customer order',
    'Money goes back to the card that paid.',
    'Disputes beyond ninety days need the finance lead.',
  ),
  topic(
    'Air conditioning',
    'cooling the office with air conditioning',
    'Chillers start when the corridor passes twenty-six degrees.',
    'Filters are swapped twice a year by facilities.',
  ),
  topic(
    'Release checklist',
    'steps before a release',
    'Freeze the branch, tag the candidate, and write the notes.',
    'Rollout begins with one percent of tenants.',
  ),
  topic(
    'Spare keys',
    'I lost the key of my locker',
    'Locksmith cylinders are numbered on the rim.',
    'A duplicate costs a deposit.',
  ),
  topic(
    'Language courses',
    'learn Portuguese at work',
    'Tutors visit on Monday evenings.',
    'Exams at level B2 are paid for.',
  ),
  topic(
    'Printer toner',
    'printer is out of toner',
    'Cartridges sit in the cupboard beside the plotter.',
    'Smudges mean that the drum is worn.',
  ),
  topic(
    'Solar panels',
    'electricity from solar panels on the roof',
    'The inverter reports kilowatt hours each evening.',
    'Snow is cleared by the roofer only.',
  ),
  topic(
    'Warehouse inventory',
    'count the stock of the warehouse',
    'Pallets are scanned aisle by aisle at year end.',
    'Shrinkage over two percent starts an inquiry.',
  ),
  topic(
    'Phishing reports',
    'report suspicious phishing mail',
    'Forward it as an attachment, do not click the lure.',
    'The mailbox of the defenders answers in an hour.',
  ),
  topic(
    'Microscope calibration',
    'calibrate the microscopes',
    'The stage micrometer lies in the humidity cabinet.',
    'Objectives are cleaned with lens paper only.',
  ),
  topic(
    'Pension scheme',
    'contributions to my pension',
    'The employer doubles what you put in up to five percent.',
    'Annuities are chosen at sixty.',
  ),
  topic(
    'Kitchen recycling',
    'recycling bin for compost in the kitchen',
    'Peelings go to the green caddy, tins to the yellow one.',
    'Glass is collected on alternate Fridays.',
  ),
  topic(
    'Conference sponsorship',
    'sponsor a conference booth',
    'Marketing keeps banners and the folding counter.',
    'Speakers fly economy and share taxis.',
  ),
];

/** The location, which helps to distinguish generated documents. */
export const SITES = [
  'Zürich',
  'Lisbon',
  'Kraków',
  'Montréal',
  'Nairobi',
  'Osaka',
  'São Paulo',
  'Tallinn',
  'Malmö',
  'Galway',
] as const;
