import { type DocumentNode, kindOf, type Member, type ObjectNode } from './document-node.js';
import { pointerTo } from '../json-pointer.js';
import { listed, quoted } from './quoting.js';
import type { ObjectShape, Report } from './shape.js';
import { suggestionFor } from './suggestion.js';
import type { PartWalker, Place } from './walking.js';

/** The state of an object after its property names were checked. */
interface Names {
  /** Properties that are present, or probably meant by unknown names. */
  present: Set<string>;
  hasRefused: boolean;
  hasUnknown: boolean;
}

export class ObjectCheck {
  constructor(private readonly walker: PartWalker) {}

  check(shape: ObjectShape, node: DocumentNode, place: Place): void {
    if (node.type !== 'object') {
      return this.walker.error(place, node, `must be an object, not ${kindOf(node)}: ${propertiesOf(shape)}`);
    }
    const names = this.checkMembers(shape, node, place);
    if (!names.hasRefused) this.checkPresence(shape, node, place, names);
    // Among unknown names, the missing property is probably misspelt.
    if (!names.hasUnknown) shape.check?.(node, this.reporter(node, place));
  }

  private checkMembers(shape: ObjectShape, node: ObjectNode, place: Place): Names {
    const names: Names = { present: new Set(), hasRefused: false, hasUnknown: false };
    for (const name of node.members.keys()) if (Object.hasOwn(shape.properties, name)) names.present.add(name);
    for (const [name, member] of node.members) {
      const property = names.present.has(name) ? shape.properties[name] : undefined;
      if (property) {
        this.walker.check(property, member.node, this.placeOf(shape, node, place, name, member));
      } else {
        this.checkOther(shape, name, member, place, names);
      }
    }
    return names;
  }

  private placeOf(shape: ObjectShape, node: ObjectNode, place: Place, name: string, { nameAt }: Member): Place {
    const inside = this.walker.inside(place, name, nameAt);
    const more = shape.variablesIn?.(name, node.value) ?? [];
    if (more.length > 0) inside.variables = [...new Set([...place.variables, ...more])];
    if (shape.secretsIn?.includes(name)) inside.mayUseSecrets = true;
    return inside;
  }

  private checkOther(shape: ObjectShape, name: string, member: Member, place: Place, names: Names): void {
    const inside = this.walker.inside(place, name, member.nameAt);
    const report = (message: string) => this.walker.errorOfName(inside.path, member.nameAt, message);
    if (shape.refused && Object.hasOwn(shape.refused, name)) {
      names.hasRefused = true;
      return report(`${quoted(name)}: ${shape.refused[name]}`);
    }
    if (shape.others?.names.problemOf(name) === null)
      return this.walker.check(shape.others.values, member.node, inside);
    names.hasUnknown = true;
    const free = Object.keys(shape.properties).filter((property) => !names.present.has(property));
    const meant = suggestionFor(name, free);
    if (meant !== undefined) names.present.add(meant);
    if (meant === undefined && shape.others) return report(`${quoted(name)} ${shape.others.names.problemOf(name)}`);
    const known = `: ${propertiesOf(shape)}`;
    report(`unknown property ${quoted(name)}${meant === undefined ? known : `: did you mean "${meant}"?`}`);
  }

  private checkPresence(shape: ObjectShape, node: ObjectNode, place: Place, names: Names): void {
    const missing = (shape.required ?? []).filter((name) => !names.present.has(name));
    const report = (message: string) => this.walker.errorOfName(place.path, place.nameAt, message);
    if (missing.length > 0) report(`needs ${missing.map((name) => `"${name}"`).join(' and ')}`);
    if (shape.exactlyOne) this.checkExactlyOne(shape.exactlyOne, node, place, names, report);
    const { atLeastOne } = shape;
    if (atLeastOne && !names.hasUnknown && !atLeastOne.some((name) => names.present.has(name))) {
      report(`needs at least one of ${atLeastOne.join(', ')}`);
    }
  }

  private checkExactlyOne(
    choices: readonly string[],
    node: ObjectNode,
    place: Place,
    names: Names,
    report: (message: string) => void,
  ): void {
    const chosen = [...node.members].filter(([name]) => choices.includes(name));
    if (chosen.length === 0 && !names.hasUnknown) return report(`needs one of ${choices.join(', ')}`);
    const [first, second] = chosen;
    if (first === undefined || second === undefined) return;
    const message = `has both "${first[0]}" and "${second[0]}": keep one`;
    this.walker.errorOfName(pointerTo(place.path, second[0]), second[1].nameAt, message);
  }

  private reporter(node: ObjectNode, place: Place): Report {
    return (path, message, severity = 'error') => {
      let at = place.nameAt;
      let current: DocumentNode | undefined = node;
      for (const segment of path) {
        current = current?.type === 'object' ? current.members.get(String(segment))?.node : undefined;
        at = current?.at ?? at;
      }
      this.walker.findings.report(severity, pointerTo(place.path, ...path), at, message);
    };
  }
}

const propertiesOf = ({ properties }: ObjectShape): string => {
  const names = Object.keys(properties);
  return names.length === 0 ? 'there are no properties here, write {}' : `the properties here are ${listed(names)}`;
};
