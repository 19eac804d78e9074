import { Module } from '@nestjs/common';
import { CreditsModule } from '../credits/credits.module';
import { IdentityModule } from '../identity/identity.module';
import { AccountErasures } from './account-erasures';
import { AccountErasuresJob } from './account-erasures.job';
import { DataExports } from './data-exports';
import { DataExportsJob } from './data-exports.job';
import { Eraser } from './erasure/eraser';
import { Exporter } from './export/exporter';
import { OwnDataCommands } from './own-data.commands';

@Module({
  imports: [CreditsModule, IdentityModule],
  providers: [AccountErasures, AccountErasuresJob, DataExports, DataExportsJob, Eraser, Exporter, OwnDataCommands],
  exports: [AccountErasures, AccountErasuresJob, DataExports, DataExportsJob, OwnDataCommands],
})
export class OwnDataModule {}
