/** The head of a document, seven lines long, to which tests append tasks. */
export const HEAD = `document:
  dsl: 1.0.3
  namespace: test
  name: example
  version: 1.0.0
  summary: Does something.
`;

/** A workflow with one of every accepted feature, without errors and warnings. */
export const EVERYTHING = `document:
  dsl: '1.0.3'
  namespace: test
  name: everything
  version: 1.2.3
  title: Everything
  summary: Use this to see everything.
  tags: { area: tests }
  metadata: { background: true, timezone: Europe/Paris, team: { anything: 1 } }
input:
  schema:
    format: json
    document:
      type: object
      properties:
        names: { type: array, items: { type: string } }
  from: .
output:
  schema:
    document: { type: object }
  as:
    result: \${ . }
schedule:
  every: { hours: 1 }
evaluate: { language: jq, mode: strict }
timeout: long
use:
  authentications:
    server: { bearer: { token: '\${ $secrets.token }' } }
    login: { basic: { use: account } }
  errors:
    broken: { type: 'https://example.com/broken', status: 500, title: Broken }
  functions:
    shout:
      set: { text: '\${ .text | ascii_upcase }' }
  retries:
    patient:
      when: $error.status == 503
      delay: PT1S
      backoff: { exponential: {} }
      limit: { attempt: { count: 3 }, duration: { minutes: 5 } }
      jitter: { from: PT0S, to: { milliseconds: 500 } }
  secrets: [token, account]
  timeouts:
    long: { after: P1D }
do:
  - begin:
      set: { names: '\${ $workflow.input.names // [] }', fixed: 1 }
      if: \${ true }
      metadata: { note: anything }
  - decide:
      switch:
        - none: { when: '.names | length == 0', then: finish }
        - some: { then: each }
  - each:
      for: { each: name, in: .names, at: number }
      while: $number < 10
      do:
        - say:
            call: shout
            with: { text: '\${ $name }' }
            export: { as: '$context + { ($name): . }' }
  - inline:
      for: { in: [{ a: 1 }, { a: 2 }] }
      do:
        - keep: { set: '\${ $item }' }
  - fetch:
      try:
        - get:
            call: http
            with:
              method: get
              endpoint: { uri: 'https://example.com/{id}', authentication: { use: server } }
              headers: { accept: application/json }
              query: { page: '\${ .page }' }
              output: response
              redirect: true
            timeout: { after: PT30S }
        - post:
            call: http
            with:
              method: POST
              endpoint: { uri: '\${ .next }', authentication: { use: login } }
              body: [1, '\${ .a }']
      catch:
        errors: { with: { type: 'https://serverlessworkflow.io/spec/1.0.0/errors/communication', status: 503 } }
        as: problem
        when: $problem.status == 503
        exceptWhen: $problem.title == "x"
        retry: patient
        do:
          - fail: { raise: { error: broken } }
        then: both
  - both:
      fork:
        compete: true
        branches:
          - first: { wait: PT1S }
          - second: { do: [{ pause: { wait: { seconds: 1 } } }] }
  - ask:
      listen:
        to: { one: { with: { type: person.answered } } }
        read: data
      metadata:
        question:
          message: \${ "Go on with " + .name + "?" }
          schema: { type: object, properties: { ok: { type: boolean } }, required: [ok] }
  - hear:
      listen: { to: { one: { with: { type: 'com\\.example\\..*', data: '\${ .a == 1 }' } } } }
      output: { as: '.[0]' }
  - tell:
      emit: { event: { with: { type: com.example.done, source: 'https://example.com', myext: x, data: { a: '\${ .a }' } } } }
  - sub:
      run: { workflow: { namespace: test, name: other, version: latest, input: { a: '\${ .a }' } }, await: false }
  - problem:
      if: .failed
      raise: { error: { type: 'https://example.com/oops', status: '\${ .status }', detail: '\${ .why }' } }
  - finish:
      set: \${ . }
      then: end
`;
