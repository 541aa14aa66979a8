import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { JqExpressions } from '#open-workflow';

/** Evaluates the expressions of workflows, in threads of this process. */
@Injectable()
export class RunExpressions extends JqExpressions implements OnApplicationShutdown {
  constructor() {
    super();
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }
}
