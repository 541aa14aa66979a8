/** The initial text of a new workflow: valid, with the parts that most workflows have. */
export const FIRST_DEFINITION = `document:
  dsl: 1.0.3
  namespace: team
  name: greet_team
  version: 1.0.0
  title: Greet the team
  summary: Use this to greet somebody of the team by name.
input:
  schema:
    document:
      type: object
      properties:
        name:
          type: string
          description: Who is greeted
      required: [name]
do:
  - greet:
      set:
        greeting: \${ "Hello, " + .name + "!" }
`;
