import { WorkflowReference } from './workflow-reference.service.js';

class LateReference extends WorkflowReference {
  private reads = 0;

  protected override read() {
    this.reads += 1;
    return this.reads === 1 ? Promise.reject(new Error('EMFILE')) : super.read();
  }
}

it('reads the manual of the workflow language again after a failure', async () => {
  const reference = new LateReference();
  await expect(reference.find()).rejects.toThrow('EMFILE');
  expect((await reference.find())?.text).toContain('workflow');
});
